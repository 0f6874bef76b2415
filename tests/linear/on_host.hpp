#pragma once

// Linear solvers work on fields, tests think in vectors: the same calls for these.

#include "pliant/linear/block_jacobi.hpp"
#include "pliant/linear/conjugate_gradient.hpp"
#include "pliant/linear/minres.hpp"

namespace pliant::testing {

/// What `call` does with a field, done with the vector that it stands for.
template <class Call>
auto as_field(Vector& x, const Call& call) {
  Field field(std::move(x));
  const auto result = call(field);
  x = std::move(field.host());
  return result;
}

inline BlockJacobi jacobi_of(const Operator& matrix, const Vector& floor) {
  BlockJacobi jacobi;
  jacobi.assign(matrix, Field(floor));
  return jacobi;
}

inline double solve(const BlockJacobi& jacobi, const Vector& r, Vector& z) {
  return as_field(z, [&](Field& to) { return jacobi.solve(Field(r), to); });
}

inline double multiply(const BlockJacobi& jacobi, const Vector& p, Vector& z) {
  return as_field(z, [&](Field& to) { return jacobi.multiply(Field(p), to); });
}

inline Preconditioner::Sizes precondition(const Preconditioner& by, const Vector& r, Vector& z) {
  return as_field(z, [&](Field& to) { return by.precondition(Field(r), to); });
}

inline ConjugateGradient::Report solve(ConjugateGradient& cg, const Operator& A,
                                       const Preconditioner& preconditioner, const Vector& b,
                                       double relative_tolerance, Vector& x, int most = 0) {
  return as_field(
      x, [&](Field& to) { return cg.solve(A, preconditioner, Field(b), relative_tolerance, to, most); });
}

inline ConjugateGradient::Report go_on(ConjugateGradient& cg, const Operator& A,
                                       const Preconditioner& preconditioner, Vector& x) {
  return as_field(x, [&](Field& to) { return cg.go_on(A, preconditioner, to); });
}

inline Minres::Report solve(Minres& minres, const Operator& A, const BlockJacobi& preconditioner,
                            const Vector& b, double relative_tolerance, int max_iterations, Vector& x) {
  return as_field(x, [&](Field& to) {
    return minres.solve(A, preconditioner, Field(b), relative_tolerance, max_iterations, to);
  });
}

}  // namespace pliant::testing
