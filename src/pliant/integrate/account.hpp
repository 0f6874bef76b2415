#pragma once

#include <span>

#include "pliant/integrate/scheme.hpp"
#include "pliant/system/stage_objective.hpp"

namespace pliant {

double kinetic_energy(const Model& model, const Vector& v);

/// Energies of a state that no step has led to yet.
Energies energies_of(const Model& model, const State& state);

/// A step that has failed ends at rest where it began, scripted vertices too: there all energies were finite,
/// and where scripts would take their vertices from there they need not be. Fills in the report; the energy
/// that is gone counts as lost to the scheme.
void put_back(const Model& model, const State& before, State& after, StepReport& report);

/// The model's potentials at a point. The end of one step is the start of the next: what was measured there
/// need not be measured again.
struct PotentialsAt {
  Vector x;
  Vector gradient;
  Energies energies;  ///< without what stage terms and contacts hold

  /// Measures at `point`, unless that is where it was measured already.
  void move_to(const Vector& point, const Model& model, StageObjective& objective);
};

/// What constraints did at the end of a step.
struct Reaction {
  Vector force;       ///< on each dof, N; empty where no obstacle is a constraint
  double length = 0;  ///< how long it acted on the velocities of the end, s
  /// Whether vertices that are held take the velocity of what holds them. (In backward Euler they keep that
  /// of their way, which is the same thing a step later.)
  bool stops = false;
};

/// At x, the answer of the objective's stage, where `gradient` is that of all energies, without inertia: what
/// both leave over is held. It acts for `length`.
Reaction reaction_at(const Model& model, StageObjective& objective, const Vector& x, const Vector& gradient,
                     double length);

/// Keeps the books of one step: opened at its start, closed at its end, with samples of what goes on in
/// between.
class StepAccount {
 public:
  StepAccount(const Model& model, StageObjective& objective, const State& before, PotentialsAt& potentials);

  /// Books `length` seconds like the moment of the objective's stage with vertices at x that move with v.
  /// Where it is the only sample of a step, things moved from outside do as in the mean of the step. Returns
  /// minus the forces there, without inertia and constraints.
  const Vector& sample(double length, const Vector& x, const Vector& v, bool only_one = false);

  /// Fills in the energies of the state the step led to and the work done on the way; the objective's stage
  /// must be its moment. A step whose end or whose books are not finite is put back. Contacts that act after
  /// the solve change the state. Where velocities are not the sum of what the samples' forces give,
  /// `samples_move` is false, and all that is left over counts as the scheme's.
  void close(State& after, StepReport& report, const Reaction& reaction = {}, bool samples_move = true);

 private:
  void close_contacts(State& after, StepReport& report, const Reaction& reaction);
  double stop(State& after, const FeasiblePlaces& places, std::span<ContactPoint> held);
  /// Energies of `state`, which is where the potentials were measured last.
  Energies measure(const State& state) const;

  const Model& model_;
  StageObjective& objective_;
  const State& before_;
  PotentialsAt& potentials_;
  Energies energies_before_;
  Vector gradient_;  ///< at the last sample
  Vector impulse_;   ///< of all samples, N s
  StepWork work_;    ///< of all samples; of scripts without the kinetic energy
};

/// Where the largest force is left over at x, for the message about a step that did not converge.
WorstPlace find_worst_place(const Model& model, StageObjective& objective, const Vector& x);

}  // namespace pliant
