#pragma once

#include <functional>
#include <span>
#include <string>

#include "pliant/minimize/solver.hpp"
#include "pliant/system/stage_objective.hpp"

namespace pliant {

/// What a local-global solver says of all else than springs and projective materials.
inline const std::string kLocalGlobalIsUnsafe =
    "solver local-global takes full steps that are only safe for springs and projective materials, without "
    "obstacles as constraints, penalties, wind or stiffness damping; use lbfgs, which searches along them";

/// Solves stages of one model by one method: the objective and a solver, with the safeguards that know
/// mechanics.
class StageSolver {
 public:
  /// Throws InputError where no method has that name.
  StageSolver(const Model& model, const SolverOptions& options);

  /// Minimises the objective of the stage it has begun. Of the guesses, the best informed of which comes
  /// last, the one with the smallest objective is the start; where one is infinite or went too far, the place
  /// where the step began is another. x is the answer. Where no finite start is found the status says so and
  /// x is the start of the step.
  Outcome solve(std::span<const Vector> guesses, Vector& x);

  StageObjective& objective() { return objective_; }

  /// So many, converged or not.
  void set_iterations(int iterations) { solver_.set_iterations(iterations); }
  /// Has each point of a descent told to `watch`.
  void set_watch(std::function<void(int iterations, const Field& x)> watch) {
    solver_.set_watch(std::move(watch));
  }

 private:
  double residual_of_staying() const;

  StageObjective objective_;
  Solver solver_;
  std::vector<Field> guesses_;
  Field safe_, x_;
};

}  // namespace pliant
