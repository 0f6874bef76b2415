#pragma once

#include "pliant/integrate/account.hpp"
#include "pliant/integrate/scheme.hpp"
#include "pliant/system/stage_solver.hpp"

namespace pliant {

/// Backward Euler as a minimisation (gast-2014, section 2): one stage with c_a = 1/dt^2 around x_n + dt v_n.
/// First order, very stable, and damped.
class BackwardEuler final : public Scheme {
 public:
  BackwardEuler(const Model& model, const SolverOptions& options) : model_(model), solver_(model, options) {}

  StepReport step(State& state, double dt) override;
  Stage first_stage(const State& state, double dt) const override;

 private:
  const Model& model_;
  StageSolver solver_;
  PotentialsAt potentials_;
};

}  // namespace pliant
