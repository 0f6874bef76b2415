#include "pliant/system/stage_solver.hpp"

#include <array>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/minimize/directions.hpp"
#include "pliant/minimize/line_searches.hpp"

namespace pliant {

std::span<const SolverMethod> solver_methods() {
  static constexpr std::array<SolverMethod, 4> kMethods{{
      {"newton-cg", "Newton with truncated conjugate gradients and strong Wolfe search; the default"},
      {"newton-cholesky",
       "Newton with sparse factorisation, made definite where needed, and strong Wolfe search"},
      {"newton-plain", "root finding by full Newton steps without any safeguard; for comparison"},
      {"gradient", "steepest descent with strong Wolfe search; for comparison"},
  }};
  return kMethods;
}

StageSolver::StageSolver(const Model& model, const SolverOptions& options) : objective_(model, options.norm) {
  options_.tolerance = options.tolerance;
  options_.max_iterations = options.max_iterations;
  options_.kappa = options.kappa;
  search_ = std::make_unique<StrongWolfe>();
  if (options.method == "newton-cg") {
    direction_ = std::make_unique<NewtonCg>(options.sigma);
  } else if (options.method == "newton-cholesky") {
    direction_ = std::make_unique<NewtonCholesky>();
  } else if (options.method == "newton-plain") {
    direction_ = std::make_unique<NewtonRoot>();
    search_ = std::make_unique<UnitStep>();
    options_.safeguards = false;
  } else if (options.method == "gradient") {
    direction_ = std::make_unique<SteepestDescent>();
  } else {
    throw InputError("no solver is called '" + options.method + "'");
  }
}

Outcome StageSolver::solve(std::span<const Vector> guesses, Vector& x) {
  bool finite = false;
  int evaluations = 0;
  const auto consider = [&](const Vector& guess) {
    scratch_ = guess;
    objective_.place_scripted(scratch_);
    ++evaluations;
    const double difference = objective_.evaluate(scratch_, nullptr);
    if (!std::isfinite(difference) || (finite && difference >= 0)) return;
    finite = true;
    objective_.set_reference();
    x = scratch_;
  };
  objective_.clear_reference();
  x = guesses.front();
  objective_.place_scripted(x);
  for (const Vector& guess : guesses) consider(guess);
  // Materials that forbid inversion can make every guess infinite; the start of the step never is, unless a
  // script inverts it.
  if (!finite) consider(objective_.stage().x_step);
  Outcome outcome = descend(objective_, *direction_, *search_, options_, x);
  outcome.evaluations += evaluations;
  return outcome;
}

}  // namespace pliant
