#pragma once

// Singular values of 3x3 matrices and eigenvalues of symmetric ones, by Jacobi rotations without branches, so
// that they run on packs. Accurate to a few roundoffs of the largest entry for any input, rank-deficient and
// zero matrices included.

#include "pliant/base/small_kernel.hpp"

namespace pliant {

/// F = U diag(sigma) V^T with rotations U and V (determinant +1) and sigma_0 >= sigma_1 >= |sigma_2|: the
/// smallest stretch carries the sign of det F.
template <class T>
struct Svd {
  Small33<T> U;
  Small3<T> sigma;
  Small33<T> V;
};

namespace detail {

/// Cosine and sine of the rotation that makes two columns with squared norms a, b and inner product g
/// orthogonal. tan(2 theta) = 2 g / (b - a), taken for the smaller angle.
template <class T>
void jacobi_rotation(const T& a, const T& b, const T& g, T& cosine, T& sine) {
  const T d = b - a;
  const T length = absolute(d) + root(d * d + T(4.0) * (g * g));
  const T tangent =
      select(length > T(0.0), select(d < T(0.0), T(-2.0), T(2.0)) * g / larger(length, T(1e-300)), T(0.0));
  cosine = T(1.0) / root(T(1.0) + tangent * tangent);
  sine = tangent * cosine;
}

template <class T>
void rotate_columns(Small33<T>& m, int p, int q, const T& cosine, const T& sine) {
  const Small3<T> a = m.column[p], b = m.column[q];
  m.column[p] = cosine * a - sine * b;
  m.column[q] = sine * a + cosine * b;
}

/// Swaps columns p and q where asked, negating one so that the determinant stays.
template <class T>
void swap_columns(const decltype(T() > T())& mask, Small33<T>& m, int p, int q) {
  const Small3<T> a = m.column[p], b = m.column[q];
  m.column[p] = select<T>(mask, b, a);
  m.column[q] = select<T>(mask, T(-1.0) * a, b);
}

/// A unit vector along `a`, or `fallback` where a is too short to have a direction.
template <class T>
Small3<T> unit_or(const Small3<T>& a, const Small3<T>& fallback) {
  const T squared = dot(a, a);
  const auto usable = squared > T(1e-280);
  return select<T>(usable, (T(1.0) / root(select(usable, squared, T(1.0)))) * a, fallback);
}

/// A unit vector perpendicular to the unit vector u.
template <class T>
Small3<T> perpendicular(const Small3<T>& u) {
  // The axis along which u is shorter than 0.8 is never nearly parallel to it.
  const auto mask = absolute(u[0]) < T(0.8);
  const Small3<T> axis{select(mask, T(1.0), T(0.0)), select(mask, T(0.0), T(1.0)), T(0.0)};
  const Small3<T> c = cross(u, axis);
  return (T(1.0) / root(dot(c, c))) * c;
}

}  // namespace detail

template <class T>
Svd<T> svd(const Small33<T>& F) {
  // Scaled to entries of at most 1, so that squares of squares neither overflow nor vanish.
  T largest = absolute(F(0, 0));
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) largest = larger(largest, absolute(F(i, j)));
  const T scale = T(1.0) / larger(largest, T(1e-300));
  Small33<T> B;
  for (int j = 0; j < 3; ++j) B.column[j] = scale * F.column[j];

  // One-sided Jacobi: rotate columns of B = F V until they are orthogonal.
  Svd<T> result;
  result.V = identity<T>();
  constexpr int kSweeps = 5;
  constexpr int kPairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (const auto& [p, q] : kPairs) {
      T cosine, sine;
      detail::jacobi_rotation(dot(B.column[p], B.column[p]), dot(B.column[q], B.column[q]),
                              dot(B.column[p], B.column[q]), cosine, sine);
      detail::rotate_columns(B, p, q, cosine, sine);
      detail::rotate_columns(result.V, p, q, cosine, sine);
    }
  }

  // Longest column first.
  for (const auto& [p, q] : kPairs) {
    const auto mask = dot(B.column[p], B.column[p]) < dot(B.column[q], B.column[q]);
    detail::swap_columns<T>(mask, B, p, q);
    detail::swap_columns<T>(mask, result.V, p, q);
  }

  // U from the columns, orthogonalised twice since a short column may be all roundoff.
  Small3<T>* u = result.U.column;
  u[0] = detail::unit_or(B.column[0], Small3<T>{T(1.0), T(0.0), T(0.0)});
  const Small3<T> fallback = detail::perpendicular(u[0]);
  const Small3<T> once = detail::unit_or(B.column[1] - dot(u[0], B.column[1]) * u[0], fallback);
  u[1] = detail::unit_or(once - dot(u[0], once) * u[0], fallback);
  u[2] = cross(u[0], u[1]);
  for (int i = 0; i < 3; ++i) result.sigma[i] = dot(u[i], F * result.V.column[i]);
  return result;
}

/// The symmetric matrix with entries xx, xy, xz, yy, yz, zz.
template <class T>
struct Symmetric33 {
  T xx, xy, xz, yy, yz, zz;
};

template <class T>
struct Eigen33 {
  Small3<T> value;  ///< in no particular order
  Small33<T> vector;
};

template <class T>
Eigen33<T> eigen_symmetric(const Symmetric33<T>& s) {
  // Two-sided Jacobi on a full copy scaled to entries of at most 1; entry (p, q) is zeroed by each rotation.
  T largest = absolute(s.xx);
  for (const T& entry : {s.xy, s.xz, s.yy, s.yz, s.zz}) largest = larger(largest, absolute(entry));
  const T scale = T(1.0) / larger(largest, T(1e-300));
  Small33<T> A{{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}};
  for (int j = 0; j < 3; ++j) A.column[j] = scale * A.column[j];
  Small33<T> Q = identity<T>();
  constexpr int kSweeps = 5;
  constexpr int kPairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (const auto& [p, q] : kPairs) {
      T cosine, sine;
      detail::jacobi_rotation(A(p, p), A(q, q), A(p, q), cosine, sine);
      detail::rotate_columns(A, p, q, cosine, sine);
      A = transpose(A);
      detail::rotate_columns(A, p, q, cosine, sine);
      A = transpose(A);
      detail::rotate_columns(Q, p, q, cosine, sine);
    }
  }
  return {{largest * A(0, 0), largest * A(1, 1), largest * A(2, 2)}, Q};
}

/// Q diag(value) Q^T
template <class T>
Symmetric33<T> compose(const Eigen33<T>& e) {
  const auto entry = [&](int i, int j) {
    return e.value[0] * e.vector(i, 0) * e.vector(j, 0) + e.value[1] * e.vector(i, 1) * e.vector(j, 1) +
           e.value[2] * e.vector(i, 2) * e.vector(j, 2);
  };
  return {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
}

}  // namespace pliant
