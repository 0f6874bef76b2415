#pragma once

#include "pliant/integrate/account.hpp"
#include "pliant/integrate/instant.hpp"
#include "pliant/system/stage_solver.hpp"

namespace pliant {

/// Weights of the generalised-alpha family: M a at t_n+1 - alpha_m dt equals the forces at
/// t_n+1 - alpha_f dt; positions and velocities follow as with Newmark.
struct AlphaWeights {
  double alpha_m = 0, alpha_f = 0, beta = 0.25, gamma = 0.5;

  /// Of second order, with spectral radius rho for infinitely stiff parts (Chung and Hulbert 1993).
  static AlphaWeights of(double rho);
};

/// Newmark's scheme and its relatives: one minimisation a step, second order, with the acceleration as
/// history. That starts anew from the forces after contact and where vertices are held or released; where
/// the step changes, it is moved to the moment that the new one wants it for, which keeps the order.
class GeneralizedAlpha final : public Scheme {
 public:
  /// Throws InputError where obstacles are constraints and alpha_f is not 0: the steps do not end where the
  /// forces are taken.
  GeneralizedAlpha(const Model& model, const SolverOptions& options, const AlphaWeights& weights);

  StepReport step(State& state, double dt) override;
  Stage first_stage(const State& state, double dt) override;
  int order() const override { return 2; }

 private:
  Vector acceleration(const State& state, StepAccount& account, double dt, double length);
  Stage stage(const State& state, const Vector& a0, double dt) const;

  const Model& model_;
  AlphaWeights w_;
  StageSolver solver_;
  PotentialsAt potentials_;
};

}  // namespace pliant
