#include "pliant/minimize/directions.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/timer.hpp"

namespace pliant {

namespace {

const Operator& hessian_of(Objective& objective, const Field& x, Definiteness definiteness,
                           DirectionReport& report) {
  const ScopedTimer timer(report.assembly_seconds);
  return objective.hessian(x, definiteness);
}

/// The same for those who factor it; `solver` is what messages call them.
const BlockMatrix& assemble(Objective& objective, const Field& x, Definiteness definiteness,
                            DirectionReport& report, const char* solver) {
  const BlockMatrix* matrix = hessian_of(objective, x, definiteness, report).assembled();
  if (!matrix)
    throw InputError(std::string("solver ") + solver +
                     " factors a Hessian that this problem gives by its products alone; use newton-cg, "
                     "newton-minres or gradient");
  return *matrix;
}

constexpr int kCreeping = 50;  ///< iterations; a descent longer than that creeps along a curved valley

/// No more exactly than the distance to the minimum deserves. Where a descent creeps, directions that are
/// cheap no longer pay.
double deserved_tolerance(double sigma, const DirectionQuery& query) {
  const double loosest = query.iteration > kCreeping ? 1e-3 : 0.5;
  return std::min(loosest, sigma * std::sqrt(std::max(query.residual, query.tolerance)));
}

}  // namespace

double Direction::stiffness_ratio(const Objective& objective) const {
  const Mask fixed = objective.fixed();
  const double of_inertia = sum_of_free(objective.metric(), fixed);
  return of_inertia > 0 ? preconditioner_.trace(fixed) / of_inertia : 1;
}

/// How many iterations conjugate gradients with block Jacobi may need. What moves without bending feels the
/// inertia alone, of the whole diagonal the part 1/kappa: kappa is the condition number, about.
double NewtonCg::expected_iterations(const Objective& objective, double relative_tolerance) const {
  return 0.5 * std::sqrt(stiffness_ratio(objective)) * std::log(2 / relative_tolerance);
}

/// True if the matrix was definite as far as could be seen.
bool NewtonCg::solve(Objective& objective, const DirectionQuery& query, Definiteness definiteness,
                     double tolerance, Field& step, DirectionReport& report) {
  const Operator& H = hessian_of(objective, query.x, definiteness, report);
  const ScopedTimer timer(report.linear_seconds);
  ++report.linear_solves;
  negate(query.gradient, rhs_);
  preconditioner_.assign(H, objective.metric());
  assembled_ = H.assembled() != nullptr;
  // The lattice costs as much as some products with the matrix, and must be worth them. The first iteration
  // is always Jacobi's: where the matrix is indefinite along it, no lattice is needed to find that out.
  constexpr double kWorthwhile = 8;
  const bool worthwhile =
      iterations_ == 0 && assembled_ && expected_iterations(objective, tolerance) > kWorthwhile;
  ConjugateGradient::Report cg =
      cg_.solve(H, preconditioner_, rhs_, tolerance, step, worthwhile ? 1 : iterations_);
  report.cg_iterations += cg.iterations;
  if (worthwhile && !cg.converged && !cg.indefinite) {
    lattice_.assign(*H.assembled(), preconditioner_, objective.fixed());
    cg = cg_.go_on(H, lattice_, step);
    report.cg_iterations += cg.iterations;
  }
  report.inexact = !cg.converged && !cg.indefinite && iterations_ == 0;
  return !cg.indefinite;
}

/// Projected directions forget the negative curvature, so they are too short, and much alike from one
/// iteration to the next. As the directions of nonlinear conjugate gradients (Polak and Ribiere), with the
/// projected Hessian for a preconditioner, they gather speed.
void NewtonCg::keep_going(const Field& gradient, Field& step) {
  const double slope = dot(gradient, step);
  double beta = 0;
  if (last_newton_.size() == step.size()) {
    constexpr double kLargest = 5;
    beta = (slope - dot(gradient, last_newton_)) / dot(last_gradient_, last_newton_);
    beta = beta > 0 ? std::min(beta, kLargest) : 0;
  }
  copy(step, last_newton_);
  copy(gradient, last_gradient_);
  constexpr double kLeast = 0.1;  // of the slope must be left
  if (beta > 0 && slope + beta * dot(gradient, last_step_) < kLeast * slope)
    add_scaled(beta, last_step_, step);
}

bool NewtonCg::is_time_to_blend(const DirectionQuery& query) const {
  if (blending_ != Blending::not_yet) return blending_ == Blending::used;
  constexpr Index kVerticesPerIteration = 10;  // a factorisation costs about so many iterations
  constexpr Index kMost = 50000;               // vertices whose factor fits into the memory of most machines
  const Index vertices = query.gradient.size() / 3;
  return indefinite_ == Indefinite::project && iterations_ == 0 && projecting_ && assembled_ &&
         vertices <= kMost && query.iteration > kCreeping &&
         kVerticesPerIteration * last_cg_iterations_ > vertices;
}

DirectionReport NewtonCg::blend(Objective& objective, DirectionQuery query, Field& step) {
  if (!blended_) blended_ = std::make_unique<NewtonBlended>();
  if (blending_ == Blending::not_yet) query.iteration = 1;
  const DirectionReport report = blended_->compute(objective, query, step);
  blending_ = report.failed ? Blending::failed : Blending::used;
  preconditioner_ = blended_->preconditioner();
  return report;
}

DirectionReport NewtonCg::compute(Objective& objective, const DirectionQuery& query, Field& step) {
  DirectionReport report;
  const double tolerance = deserved_tolerance(sigma_, query);
  // Where the Hessian was indefinite, it most likely still is: it gets another look now and then.
  constexpr int kLookAgain = 8;
  if (query.iteration == 1) {
    projecting_ = false;
    last_newton_.clear();
    last_cg_iterations_ = 0;
    blending_ = Blending::not_yet;
  }
  if (is_time_to_blend(query)) {
    last_newton_.clear();
    return blend(objective, query, step);
  }
  if (!last_newton_.empty()) copy(step, last_step_);
  bool definite = false;
  if (!projecting_ || query.iteration % kLookAgain == 0)
    definite = solve(objective, query, Definiteness::none, tolerance, step, report);
  report.indefinite = !definite;
  report.downhill = definite;
  projecting_ = !definite && indefinite_ == Indefinite::project;
  if (!projecting_) {
    last_newton_.clear();
    return report;
  }
  // Closer than that pays where few elements are in the way of many.
  constexpr double kProjectedTolerance = 0.2;
  report.downhill =
      solve(objective, query, Definiteness::clamp, std::min(tolerance, kProjectedTolerance), step, report);
  if (report.downhill)
    keep_going(query.gradient, step);
  else
    last_newton_.clear();
  last_cg_iterations_ = report.cg_iterations;
  return report;
}

void NewtonBlended::adapt(double length) {
  constexpr double kShort = 0.25, kFull = 1, kLong = 2, kLower = 3;
  if (length < kShort)
    share_ = std::clamp(kRaise * share_, kLeast, kMost);
  else if (length >= kFull)
    share_ /= length > kLong ? kLower * kLower : kLower;
  if (share_ < kLeast) share_ = 0;
}

/// False where the matrix is indefinite.
bool NewtonBlended::solve(const BlockMatrix& matrix, const Field& metric, Field& step,
                          DirectionReport& report) {
  const ScopedTimer timer(report.linear_seconds);
  ++report.linear_solves;
  if (!factor_->factor(merged_.of(matrix))) return false;
  preconditioner_.assign(matrix, metric);
  factor_->solve(rhs_, step);
  return true;
}

DirectionReport NewtonBlended::compute(Objective& objective, const DirectionQuery& query, Field& step) {
  DirectionReport report;
  if (query.iteration == 1) {
    merged_.forget();
    share_ = 1;
  }
  adapt(query.length);
  negate(query.gradient, rhs_);
  hessian_ = assemble(objective, query.x, Definiteness::none, report, "newton-cg");
  if (share_ == 0) {
    report.downhill = solve(hessian_, objective.metric(), step, report);
    if (report.downhill) return report;
    report.indefinite = true;
    share_ = kLeast;
  }
  const BlockMatrix& definite = assemble(objective, query.x, Definiteness::clamp, report, "newton-cg");
  const auto try_share = [&] {
    blended_ = definite;
    blended_.scale(share_);
    blended_.add_scaled(hessian_, 1 - share_);
    report.downhill = solve(blended_, objective.metric(), step, report);
    report.indefinite |= !report.downhill;
    return report.downhill;
  };
  // C before anything stiffer: as a rule it is definite, and beyond it steps are too short for no reason.
  while (!try_share() && share_ < kMost) share_ = std::min(kRaise * share_, share_ < 1 ? 1 : kMost);
  if (!report.downhill) {
    // Where elements are not made definite by their eigenvalues (hinges), more of it need not be better.
    share_ = 1;
    try_share();
  }
  report.failed = !report.downhill;
  if (report.failed) preconditioner_.assign(definite, objective.metric());
  return report;
}

DirectionReport NewtonCholesky::compute(Objective& objective, const DirectionQuery& query, Field& step) {
  DirectionReport report;
  if (query.iteration == 1) merged_.forget();
  negate(query.gradient, rhs_);
  for (const Definiteness definiteness : {Definiteness::none, Definiteness::clamp}) {
    const BlockMatrix& H = assemble(objective, query.x, definiteness, report, "newton-cholesky");
    const ScopedTimer timer(report.linear_seconds);
    ++report.linear_solves;
    if (factor_->factor(merged_.of(H))) {
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

DirectionReport NewtonTikhonov::compute(Objective& objective, const DirectionQuery& query, Field& step) {
  DirectionReport report;
  if (query.iteration == 1) merged_.forget();
  negate(query.gradient, rhs_);
  const BlockMatrix& H = assemble(objective, query.x, Definiteness::none, report, "newton-tikhonov");
  const ScopedTimer timer(report.linear_seconds);
  shifted_ = merged_.of(H);
  constexpr double kFirst = 1e-4, kFactor = 10;
  constexpr int kTries = 12;
  const double mean = std::abs(H.trace()) / static_cast<double>(rhs_.size());
  for (double shift = 0, next = kFirst * mean; report.linear_solves < kTries; next *= kFactor) {
    ++report.linear_solves;
    if (factor_->factor(shifted_)) {
      preconditioner_.assign(shifted_, objective.metric());
      factor_->solve(rhs_, step);
      report.downhill = true;
      return report;
    }
    report.indefinite = true;
    shifted_.add_diagonal(next - shift);
    shift = next;
  }
  preconditioner_.assign(H, objective.metric());
  report.failed = true;
  return report;
}

DirectionReport NewtonDirect::compute(Objective& objective, const DirectionQuery& query, Field& step) {
  DirectionReport report;
  if (query.iteration == 1) merged_.forget();
  negate(query.gradient, rhs_);
  const BlockMatrix& H = assemble(objective, query.x, Definiteness::none, report, "newton-residual");
  const ScopedTimer timer(report.linear_seconds);
  report.linear_solves = 1;
  preconditioner_.assign(H, objective.metric());
  const BlockMatrix& merged = merged_.of(H);
  if (factor_->factor(merged)) {
    factor_->solve(rhs_, step);
    return report;
  }
  report.indefinite = true;
  if (lu_.factor(merged))
    lu_.solve(rhs_, step);
  else
    report.failed = true;
  return report;
}

DirectionReport MinresDirection::solve(Objective& objective, const DirectionQuery& query,
                                       double relative_tolerance, int max_iterations, Field& step) {
  DirectionReport report;
  const Operator& H = hessian_of(objective, query.x, Definiteness::none, report);
  const ScopedTimer timer(report.linear_seconds);
  preconditioner_.assign(H, objective.metric());
  negate(query.gradient, rhs_);
  report.linear_solves = 1;
  const Minres::Report minres =
      minres_.solve(H, preconditioner_, rhs_, relative_tolerance, max_iterations, step);
  report.cg_iterations = minres.iterations;
  report.inexact = !minres.converged;
  return report;
}

DirectionReport NewtonMinres::compute(Objective& objective, const DirectionQuery& query, Field& step) {
  // Exact arithmetic needs no more iterations than there are unknowns.
  DirectionReport report = solve(objective, query, deserved_tolerance(sigma_, query),
                                 static_cast<int>(query.gradient.size()), step);
  report.indefinite = dot(query.gradient, step) > 0;  // with a definite matrix it leads downhill
  return report;
}

DirectionReport NewtonRoot::compute(Objective& objective, const DirectionQuery& query, Field& step) {
  // Tight enough that the step is Newton's for all that matters. Far from a solution the matrix can be so
  // indefinite that the limit is reached; that is counted.
  constexpr double kTolerance = 1e-6;
  constexpr int kIterations = 300;
  return solve(objective, query, kTolerance, kIterations, step);
}

DirectionReport SteepestDescent::compute(Objective& objective, const DirectionQuery& query, Field& step) {
  preconditioner_.assign(objective.metric());
  preconditioner_.solve(query.gradient, step);
  negate(step, step);
  return {};
}

}  // namespace pliant
