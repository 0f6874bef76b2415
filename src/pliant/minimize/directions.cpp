#include "pliant/minimize/directions.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/timer.hpp"
#include "pliant/base/vector_ops.hpp"

namespace pliant {

namespace {

const BlockMatrix& assemble(Objective& objective, const Vector& x, Definiteness definiteness,
                            DirectionReport& report) {
  const ScopedTimer timer(report.assembly_seconds);
  return objective.hessian(x, definiteness);
}

/// A descent this long creeps along a curved valley, or along a barrier where a few forces drown all others.
/// Directions that are cheap no longer pay there.
bool is_hard(const DirectionQuery& query) {
  constexpr int kPatience = 20;
  return query.iteration > kPatience;
}

/// No more exactly than the distance to the minimum deserves.
double deserved_tolerance(double sigma, const DirectionQuery& query) {
  return std::min(is_hard(query) ? 1e-3 : 0.5, sigma * std::sqrt(std::max(query.residual, query.tolerance)));
}

}  // namespace

/// How many iterations conjugate gradients with block Jacobi may need. What moves without bending feels the
/// inertia alone, of the whole diagonal the part 1/kappa: kappa is the condition number, about.
double NewtonCg::expected_iterations(const Objective& objective, double relative_tolerance) const {
  const Vector& inertia = objective.metric();
  const double kappa = preconditioner_.trace() / sum(inertia.data(), inertia.size());
  return 0.5 * std::sqrt(kappa) * std::log(2 / relative_tolerance);
}

/// The answer for one matrix, with the preconditioner made for it.
ConjugateGradient::Report NewtonCg::solve(const BlockMatrix& H, const Objective& objective, double tolerance,
                                          Vector& step, DirectionReport& report) {
  preconditioner_.assign(H, objective.metric());
  // The lattice costs as much as some products with the matrix, and must be worth them. The first iteration
  // is always Jacobi's: where the matrix is indefinite along it, no lattice is needed to find that out.
  constexpr double kWorthwhile = 8;
  const bool worthwhile = expected_iterations(objective, tolerance) > kWorthwhile;
  ConjugateGradient::Report cg = cg_.solve(H, preconditioner_, rhs_, tolerance, step, worthwhile ? 1 : 0);
  report.cg_iterations += cg.iterations;
  if (worthwhile && !cg.converged && !cg.indefinite) {
    lattice_.assign(H, preconditioner_, objective.fixed());
    cg = cg_.go_on(H, lattice_, step);
    report.cg_iterations += cg.iterations;
  }
  ++report.linear_solves;
  return cg;
}

DirectionReport NewtonCg::compute(Objective& objective, const DirectionQuery& query, Vector& step) {
  DirectionReport report;
  const BlockMatrix& H = assemble(objective, query.x, Definiteness::none, report);
  const ScopedTimer timer(report.linear_seconds);
  rhs_ = -query.gradient;
  const double tolerance = deserved_tolerance(sigma_, query);
  ConjugateGradient::Report cg = solve(H, objective, tolerance, step, report);
  report.indefinite = cg.indefinite;
  if (is_hard(query) && cg.indefinite) {
    const BlockMatrix& definite = assemble(objective, query.x, Definiteness::clamp, report);
    cg = solve(definite, objective, tolerance, step, report);
  }
  report.downhill = !cg.indefinite;
  return report;
}

DirectionReport NewtonCholesky::compute(Objective& objective, const DirectionQuery& query, Vector& step) {
  DirectionReport report;
  rhs_ = -query.gradient;
  for (const Definiteness definiteness : {Definiteness::none, Definiteness::clamp}) {
    const BlockMatrix& H = assemble(objective, query.x, definiteness, report);
    const ScopedTimer timer(report.linear_seconds);
    ++report.linear_solves;
    if (factor_->factor(H)) {
      preconditioner_.assign(H, objective.metric());
      factor_->solve(rhs_, step);
      report.downhill = true;
      return report;
    }
    report.indefinite = true;
    preconditioner_.assign(H, objective.metric());
  }
  report.failed = true;
  return report;
}

DirectionReport MinresDirection::solve(Objective& objective, const DirectionQuery& query,
                                       double relative_tolerance, int max_iterations, Vector& step) {
  DirectionReport report;
  const BlockMatrix& H = assemble(objective, query.x, Definiteness::none, report);
  const ScopedTimer timer(report.linear_seconds);
  preconditioner_.assign(H, objective.metric());
  rhs_ = -query.gradient;
  report.linear_solves = 1;
  const Minres::Report minres =
      minres_.solve(H, preconditioner_, rhs_, relative_tolerance, max_iterations, step);
  report.cg_iterations = minres.iterations;
  report.inexact = !minres.converged;
  return report;
}

DirectionReport NewtonMinres::compute(Objective& objective, const DirectionQuery& query, Vector& step) {
  // Exact arithmetic needs no more iterations than there are unknowns.
  DirectionReport report = solve(objective, query, deserved_tolerance(sigma_, query),
                                 static_cast<int>(query.gradient.size()), step);
  report.indefinite = dot(query.gradient, step) > 0;  // with a definite matrix it leads downhill
  return report;
}

DirectionReport NewtonRoot::compute(Objective& objective, const DirectionQuery& query, Vector& step) {
  // Tight enough that the step is Newton's for all that matters. Far from a solution the matrix can be so
  // indefinite that the limit is reached; that is counted.
  constexpr double kTolerance = 1e-6;
  constexpr int kIterations = 300;
  return solve(objective, query, kTolerance, kIterations, step);
}

DirectionReport SteepestDescent::compute(Objective& objective, const DirectionQuery& query, Vector& step) {
  preconditioner_.assign(objective.metric());
  preconditioner_.solve(query.gradient, step);
  step = -step;
  return {};
}

}  // namespace pliant
