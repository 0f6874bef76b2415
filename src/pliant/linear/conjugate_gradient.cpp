#include "pliant/linear/conjugate_gradient.hpp"

#include <algorithm>

namespace pliant {

namespace {
/// Exact arithmetic would need as many as there are unknowns; what takes this many will not get there.
Index most_iterations(Index unknowns) {
  constexpr Index kPerUnknown = 4, kMost = 20000;
  return std::min(kPerUnknown * unknowns, kMost);
}
}  // namespace

ConjugateGradient::Report ConjugateGradient::solve(const Operator& A, const Preconditioner& preconditioner,
                                                   const Field& b, double relative_tolerance, Field& x,
                                                   int most) {
  set_zero(b.size(), x);
  copy(b, r_);
  const Preconditioner::Sizes sizes = preconditioner.precondition(r_, z_);
  if (!(sizes.product > 0)) return {.converged = true};  // b is zero: so is the answer
  target_ = relative_tolerance * relative_tolerance * sizes.squared;
  const Report report =
      iterate(A, preconditioner, sizes.product, most > 0 ? most : most_iterations(b.size()), x);
  if (report.indefinite && report.iterations == 0) copy(z_, x);
  return report;
}

ConjugateGradient::Report ConjugateGradient::go_on(const Operator& A, const Preconditioner& preconditioner,
                                                   Field& x) {
  return iterate(A, preconditioner, preconditioner.precondition(r_, z_).product, most_iterations(x.size()),
                 x);
}

/// From a residual r whose product with z = B^-1 r is rz.
ConjugateGradient::Report ConjugateGradient::iterate(const Operator& A, const Preconditioner& preconditioner,
                                                     double rz, Index most, Field& x) {
  Report report;
  copy(z_, p_);
  while (report.iterations < most) {
    const double curvature = A.multiply(p_, Ap_);
    if (!(curvature > 0)) {
      report.indefinite = true;
      return report;
    }
    ++report.iterations;
    advance(rz / curvature, p_, Ap_, x, r_);
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

}  // namespace pliant
