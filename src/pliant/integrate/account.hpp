#pragma once

#include "pliant/integrate/scheme.hpp"
#include "pliant/system/stage_objective.hpp"

namespace pliant {

/// Energies of a state that no step has led to yet.
Energies energies_of(const Model& model, const State& state);

/// Keeps the books of one backward Euler step: opened at its start, closed at its end. `objective` must have
/// begun the step's stage.
class StepAccount {
 public:
  StepAccount(const Model& model, StageObjective& objective, const State& before);

  /// Minus the forces at the start.
  const Vector& start_gradient() const { return start_gradient_; }

  /// Fills in the energies of the state the step led to and the work done on the way.
  void close(const State& after, StepReport& report);

 private:
  /// Energies at the point the objective last evaluated, which is that of `state`.
  Energies measure(const State& state) const;

  const Model& model_;
  StageObjective& objective_;
  const State& before_;
  Vector start_gradient_;
  Energies energies_before_;
};

/// Where the largest force is left over at x, for the message about a step that did not converge.
WorstPlace find_worst_place(const Model& model, StageObjective& objective, const Vector& x);

}  // namespace pliant
