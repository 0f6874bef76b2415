#pragma once

#include "pliant/integrate/runge_kutta.hpp"

namespace pliant {

/// Backward Euler as a minimisation (gast-2014, section 2): one stage with c_a = 1/dt^2 around x_n + dt v_n.
/// First order, very stable, and damped.
class BackwardEuler final : public RungeKutta {
 public:
  BackwardEuler(const Model& model, const SolverOptions& options)
      : RungeKutta(model, options, find_tableau("backward-euler")) {}
};

}  // namespace pliant
