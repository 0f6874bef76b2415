#pragma once

#include "pliant/integrate/runge_kutta.hpp"
#include "pliant/integrate/step_driver.hpp"

namespace pliant {

/// Backward Euler as a minimisation (gast-2014, section 2): one stage with c_a = 1/dt^2 around x_n + dt v_n.
/// First order, very stable, and damped.
class BackwardEuler final : public StepDriver {
 public:
  BackwardEuler(const Model& model, const SolverOptions& options)
      : StepDriver(model, options, std::make_unique<RungeKutta>(find_tableau("backward-euler"))) {}
};

}  // namespace pliant
