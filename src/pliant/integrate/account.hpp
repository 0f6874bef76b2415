#pragma once

#include "pliant/integrate/scheme.hpp"
#include "pliant/system/stage_objective.hpp"

namespace pliant {

/// Energies of a state that no step has led to yet.
Energies energies_of(const Model& model, const State& state);

/// The model's potentials at a point. The end of one step is the start of the next: what was measured there
/// need not be measured again.
struct PotentialsAt {
  Vector x;
  Vector gradient;
  double elastic = 0, gravitational = 0;  ///< J

  /// Measures at `point`, unless that is where it was measured already.
  void move_to(const Vector& point, const Model& model, StageObjective& objective);
};

/// Keeps the books of one backward Euler step: opened at its start, closed at its end. `objective` must have
/// begun the step's stage.
class StepAccount {
 public:
  StepAccount(const Model& model, StageObjective& objective, const State& before, PotentialsAt& potentials);

  /// Minus the forces at the start.
  const Vector& start_gradient() const { return start_gradient_; }

  /// Fills in the energies of the state the step led to and the work done on the way. What comes after the
  /// solve, friction and the post-processing of collisions, changes the state.
  void close(State& after, StepReport& report);

 private:
  void close_contacts(const Vector& d, Vector& gradient, State& after, StepReport& report);
  void post_process_step(State& after, StepReport& report);
  /// Energies of `state`, which is where the potentials were measured last.
  Energies measure(const State& state) const;

  const Model& model_;
  StageObjective& objective_;
  const State& before_;
  PotentialsAt& potentials_;
  Vector start_gradient_;
  Energies energies_before_;
};

/// Where the largest force is left over at x, for the message about a step that did not converge.
WorstPlace find_worst_place(const Model& model, StageObjective& objective, const Vector& x);

}  // namespace pliant
