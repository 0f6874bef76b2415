#include "pliant/linear/conjugate_gradient.hpp"

#include <algorithm>

#include "pliant/base/parallel.hpp"
#include "pliant/base/vector_ops.hpp"

namespace pliant {

namespace {
/// Exact arithmetic would need as many as there are unknowns; what takes this many will not get there.
Index most_iterations(Index unknowns) {
  constexpr Index kPerUnknown = 4, kMost = 20000;
  return std::min(kPerUnknown * unknowns, kMost);
}
}  // namespace

/// x += alpha p and r -= alpha A p, in one pass over memory.
void ConjugateGradient::advance(double alpha, Vector& x) {
  parallel_chunks(x.size(), 8192, [&](Index begin, Index end) {
    const double *p = p_.data(), *Ap = Ap_.data();
    double *to = x.data(), *r = r_.data();
    for (Index i = begin; i < end; ++i) {
      to[i] += alpha * p[i];
      r[i] -= alpha * Ap[i];
    }
  });
}

template <class Matrix>
ConjugateGradient::Report ConjugateGradient::solve(const Matrix& A, const Preconditioner& preconditioner,
                                                   const Vector& b, double relative_tolerance, Vector& x,
                                                   int most) {
  x.setZero(b.size());
  r_ = b;
  const Preconditioner::Sizes sizes = preconditioner.precondition(r_, z_);
  if (!(sizes.product > 0)) return {.converged = true};  // b is zero: so is the answer
  target_ = relative_tolerance * relative_tolerance * sizes.squared;
  const Report report =
      iterate(A, preconditioner, sizes.product, most > 0 ? most : most_iterations(b.size()), x);
  if (report.indefinite && report.iterations == 0) x = z_;
  return report;
}

ConjugateGradient::Report ConjugateGradient::go_on(const BlockMatrix& A, const Preconditioner& preconditioner,
                                                   Vector& x) {
  return iterate(A, preconditioner, preconditioner.precondition(r_, z_).product, most_iterations(x.size()),
                 x);
}

/// From a residual r whose product with z = B^-1 r is rz.
template <class Matrix>
ConjugateGradient::Report ConjugateGradient::iterate(const Matrix& A, const Preconditioner& preconditioner,
                                                     double rz, Index most, Vector& x) {
  Report report;
  p_ = z_;
  while (report.iterations < most) {
    const double curvature = A.multiply(p_, Ap_);
    if (!(curvature > 0)) {
      report.indefinite = true;
      return report;
    }
    ++report.iterations;
    advance(rz / curvature, x);
    const Preconditioner::Sizes sizes = preconditioner.precondition(r_, z_);
    if (sizes.squared <= target_) {
      report.converged = true;
      return report;
    }
    scale_and_add(sizes.product / rz, z_, p_);
    rz = sizes.product;
  }
  return report;
}

template ConjugateGradient::Report ConjugateGradient::solve(const BlockMatrix&, const Preconditioner&,
                                                            const Vector&, double, Vector&, int);
template ConjugateGradient::Report ConjugateGradient::solve(const ScalarMatrix&, const Preconditioner&,
                                                            const Vector&, double, Vector&, int);

}  // namespace pliant
