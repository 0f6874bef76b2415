#pragma once

#include "pliant/integrate/account.hpp"
#include "pliant/integrate/instant.hpp"
#include "pliant/system/stage_solver.hpp"

namespace pliant {

/// The second backward differentiation formula: one minimisation a step, second order, with the state before
/// as history. It starts with a step of backward Euler, and does so again after contact, where vertices are
/// held or released, and where the step changes.
class Bdf2 final : public Scheme {
 public:
  Bdf2(const Model& model, const SolverOptions& options) : model_(model), solver_(model, options) {}

  StepReport step(State& state, double dt) override;
  Stage first_stage(const State& state, double dt) override;
  int order() const override { return 2; }

 private:
  bool has_history(const State& state, double dt) const;

  const Model& model_;
  StageSolver solver_;
  PotentialsAt potentials_;
};

}  // namespace pliant
