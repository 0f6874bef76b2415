#include "pliant/linear/minres.hpp"

#include <cmath>
#include <utility>

namespace pliant {

Minres::Report Minres::solve(const Operator& A, const BlockJacobi& preconditioner, const Field& b,
                             double relative_tolerance, int max_iterations, Field& x) {
  Report report;
  set_zero(b.size(), x);
  // Lanczos vectors v and their preconditioned companions z, each pair scaled so that v . z = 1.
  copy(b, v_);
  set_zero(b.size(), v_before_);
  preconditioner.solve(v_, z_);
  double beta = std::sqrt(dot(v_, z_));
  if (!(beta > 0)) {
    report.converged = true;
    return report;
  }
  set_zero(b.size(), w_);
  set_zero(b.size(), w_before_);
  double residual = beta;  // signed, in the norm of the inverse preconditioner
  const double target = relative_tolerance * beta;
  double cosine = 1, sine = 0, cosine_before = 1, sine_before = 0, beta_before = 0;
  divide(beta, v_);
  divide(beta, z_);
  while (report.iterations < max_iterations) {
    ++report.iterations;
    A.multiply(z_, Az_);
    const double alpha = dot(Az_, z_);
    add_scaled(-alpha, v_, Az_);
    add_scaled(-beta_before, v_before_, Az_);
    preconditioner.solve(Az_, z_next_);
    const double squared = dot(Az_, z_next_);
    const double beta_next = squared > 0 ? std::sqrt(squared) : 0.0;

    // One more column of the tridiagonal matrix, through the two rotations before it and a new one.
    const double third = sine_before * beta_before;
    const double second = cosine_before * cosine * beta_before + sine * alpha;
    const double first = -cosine_before * sine * beta_before + cosine * alpha;
    const double length = std::hypot(first, beta_next);
    if (length == 0) return report;
    cosine_before = cosine;
    sine_before = sine;
    cosine = first / length;
    sine = beta_next / length;

    copy(z_, w_next_);
    add_scaled(-second, w_, w_next_);
    add_scaled(-third, w_before_, w_next_);
    divide(length, w_next_);
    add_scaled(cosine * residual, w_next_, x);
    residual *= -sine;
    std::swap(w_before_, w_);
    std::swap(w_, w_next_);
    if (std::abs(residual) <= target || beta_next == 0) {
      report.converged = true;
      return report;
    }
    std::swap(v_before_, v_);
    copy(Az_, v_);
    copy(z_next_, z_);
    divide(beta_next, v_);
    divide(beta_next, z_);
    beta_before = beta_next;
  }
  return report;
}

}  // namespace pliant
