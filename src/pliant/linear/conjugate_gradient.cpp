#include "pliant/linear/conjugate_gradient.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/vector_ops.hpp"

namespace pliant {

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

ConjugateGradient::Report ConjugateGradient::solve(const BlockMatrix& A, const BlockJacobi& preconditioner,
                                                   const Vector& b, double relative_tolerance, Vector& x) {
  Report report;
  x.setZero(b.size());
  r_ = b;
  double rz = preconditioner.solve(r_, z_);
  p_ = z_;
  if (!(rz > 0)) {  // b is zero: so is the answer
    report.converged = true;
    return report;
  }
  const double target = relative_tolerance * relative_tolerance * rz;
  const Index limit = 4 * b.size();  // exact arithmetic would need a quarter
  while (report.iterations < limit) {
    const double curvature = A.multiply(p_, Ap_);
    if (!(curvature > 0)) {
      report.indefinite = true;
      if (report.iterations == 0) x = z_;
      return report;
    }
    ++report.iterations;
    const double alpha = rz / curvature;
    advance(alpha, x);
    const double rz_next = preconditioner.solve(r_, z_);
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
