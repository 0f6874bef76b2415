#include "pliant/minimize/solver.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace pliant {

Solver::Solver(const SolverOptions& options, std::vector<std::unique_ptr<Safeguard>> safeguards)
    : made_of_(options),
      recipe_(find_recipe(options.method)),
      switches_(options.safeguards),
      direction_(recipe_.direction(options)),
      search_(recipe_.search(options)),
      owned_(std::move(safeguards)) {
  for (const auto& safeguard : owned_) {
    safeguards_.push_back(safeguard.get());
    if (safeguard->serves_detours()) of_detours_.push_back(safeguard.get());
  }
  options_.tolerance = options.tolerance;
  options_.max_iterations = options.max_iterations;
  options_.kappa = options.kappa;
  options_.iterations = options.iterations;
  options_.checks = recipe_.checks;
  options_.monotone = options.method == "local-global";
  options_.safeguards = safeguards_;
}

/// What a direction has kept is of the unknowns that there were.
void Solver::forget_other_unknowns(const Objective& objective) {
  const std::uint64_t id = objective.layout().id;
  if (layout_ && *layout_ != id) direction_ = recipe_.direction(made_of_);
  layout_ = id;
}

Outcome Solver::solve(Objective& objective, const Guesses& guesses, Field& x) {
  if (guesses.all.empty()) throw std::invalid_argument("a solver needs a guess to start from");
  forget_other_unknowns(objective);
  Walls walls(objective, recipe_.long_descents && switches_.walls);
  options_.max_near_walls = walls.patience(options_.max_iterations);
  Outcome found;
  StartFinder finder(objective, *direction_, found);
  const bool guessed =
      finder.choose(guesses, options_.tolerance, switches_.guesses, recipe_.long_descents, x);
  if (!guessed) {
    walls.stiffen();
    if (!finder.approach(guesses, x)) {
      walls.relax();
      copy(guesses.safe ? *guesses.safe : guesses.all.back(), x);
      found.status = Status::not_finite;
      return found;
    }
  }
  Outcome outcome;
  if (guessed) outcome = descend(objective, *direction_, *search_, options_, x, &finder.known());
  const bool ended = is_converged(outcome.status) || outcome.status == Status::as_asked;
  const bool at_walls = !ended && outcome.met_infinity;
  if (!guessed || (at_walls && walls.soft())) detour(objective, walls, x, outcome);
  settle(objective, x, outcome);
  found.indefinite = 0;  // of directions that were no iterations
  outcome.count(found);
  return outcome;
}

/// Goes on from x and `outcome`, the end of a descent that met walls.
void Solver::detour(Objective& objective, Walls& walls, Field& x, Outcome& outcome) {
  // Who asked for a number of iterations pays for one descent.
  int stages = options_.iterations == 0 ? walls.stages() : 0;
  Field direct, gradient;
  if (outcome.iterations > 0) copy(x, direct);
  const double direct_residual = outcome.residual;
  const auto evaluate = [&](const Field& at, Field* to) {
    ++outcome.evaluations;
    return objective.evaluate(at, to).difference;
  };
  if (direct.empty()) {
    walls.relax();
    evaluate(x, &gradient);
    outcome.first_residual = objective.residual(gradient);
  }
  for (; stages >= 0; --stages) {
    walls.stiffen_for(stages);
    DescentOptions options = options_;
    options.max_iterations -= outcome.iterations;
    options.max_near_walls = options.max_iterations;
    if (stages > 0) {
      options.max_iterations = std::min(options.max_iterations / (stages + 1), walls.constants().patience);
      options.safeguards = of_detours_;
    }
    outcome.go_on(descend(objective, *direction_, *search_, options, x));
  }
  // Where even that does not end, the direct descent may have come lower.
  if (!is_converged(outcome.status) && !direct.empty() && evaluate(direct, nullptr) < 0) {
    copy(direct, x);
    outcome.residual = direct_residual;
  }
}

/// While what is held fixed within a descent is another one after it, there is another descent.
void Solver::settle(Objective& objective, Field& x, Outcome& outcome) {
  while (is_converged(outcome.status) && objective.renew(x)) {
    DescentOptions options = options_;
    options.max_iterations -= outcome.iterations;
    if (options.max_iterations <= 0) {
      outcome.status = Status::iteration_limit;
      return;
    }
    outcome.go_on(descend(objective, *direction_, *search_, options, x));
  }
}

}  // namespace pliant
