#include "pliant/system/stage_solver.hpp"

#include "pliant/base/error.hpp"
#include "pliant/system/following_rotations.hpp"
#include "pliant/system/places_alone.hpp"

namespace pliant {

namespace {

std::vector<std::unique_ptr<Safeguard>> safeguards_of(const SolverOptions& options, const Model& model,
                                                      const StageObjective& objective) {
  std::vector<std::unique_ptr<Safeguard>> safeguards;
  const Recipe& recipe = find_recipe(options.method);
  if (recipe.long_descents && options.safeguards.places)
    safeguards.push_back(std::make_unique<PlacesAlone>(model, objective));
  if (recipe.checks && options.safeguards.rotations)
    safeguards.push_back(std::make_unique<FollowingRotations>(model, objective));
  return safeguards;
}

}  // namespace

StageSolver::StageSolver(const Model& model, const SolverOptions& options)
    : objective_(model, options.norm, options.lbfgs.range),
      solver_(options, safeguards_of(options, model, objective_)) {
  if (options.method == "local-global" && !objective_.is_projective()) throw InputError(kLocalGlobalIsUnsafe);
}

Outcome StageSolver::solve(std::span<const Vector> guesses, Vector& x) {
  guesses_.resize(guesses.size());
  for (size_t i = 0; i < guesses.size(); ++i) {
    copy(guesses[i], guesses_[i].host());
    objective_.place_scripted(guesses_[i].host());
  }
  copy(objective_.stage().x_step, safe_.host());
  Guesses given{.all = guesses_, .safe = &safe_};
  if (solver_.asks_what_it_takes_to_stay()) given.to_stay = residual_of_staying();
  x_.host().swap(x);
  const Outcome outcome = solver_.solve(objective_, given, x_);
  x.swap(x_.host());
  return outcome;
}

double StageSolver::residual_of_staying() const {
  const Stage& stage = objective_.stage();
  const Vector& metric = objective_.metric().host();
  Field force(metric.cwiseProduct(stage.x_step - stage.x_a));
  clear_where(objective_.fixed(), force);
  return objective_.residual(force);
}

}  // namespace pliant
