#pragma once

#include "pliant/integrate/account.hpp"
#include "pliant/integrate/scheme.hpp"
#include "pliant/system/stage_objective.hpp"

namespace pliant {

/// Explicit: velocities by the forces at the start of the step, then places by the new velocities (liu-2018,
/// Eq. 3.23 and 3.24). Keeps energy over long times, for steps that are short enough.
class SymplecticEuler final : public Scheme {
 public:
  explicit SymplecticEuler(const Model& model);
  StepReport step(State& state, double dt) override;
  Stage first_stage(const State& state, double dt) override;
  int order() const override { return 1; }

 private:
  const Model& model_;
  StageObjective objective_;
  PotentialsAt potentials_;
};

}  // namespace pliant
