#include "pliant/linear/conjugate_gradient.hpp"

#include <cmath>

#include "pliant/base/vector_ops.hpp"

namespace pliant {

ConjugateGradient::Report ConjugateGradient::solve(const BlockMatrix& A, const BlockJacobi& preconditioner,
                                                   const Vector& b, double relative_tolerance, Vector& x) {
  Report report;
  x.setZero(b.size());
  r_ = b;
  preconditioner.solve(r_, z_);
  p_ = z_;
  double rz = dot(r_, z_);
  if (!(rz > 0)) {  // b is zero: so is the answer
    report.converged = true;
    return report;
  }
  const double target = relative_tolerance * relative_tolerance * rz;
  const Index limit = b.size();  // exact arithmetic needs no more
  while (report.iterations < limit) {
    A.multiply(p_, Ap_);
    const double curvature = dot(p_, Ap_);
    if (!(curvature > 0)) {
      report.indefinite = true;
      if (report.iterations == 0) x = z_;
      return report;
    }
    ++report.iterations;
    const double alpha = rz / curvature;
    add_scaled(alpha, p_, x);
    add_scaled(-alpha, Ap_, r_);
    preconditioner.solve(r_, z_);
    const double rz_next = dot(r_, z_);
    if (rz_next <= target) {
      report.converged = true;
      return report;
    }
    const double beta = rz_next / rz;
    rz = rz_next;
    scale_and_add(beta, z_, p_);
  }
  return report;
}

}  // namespace pliant
