#pragma once

#include "pliant/system/model.hpp"
#include "pliant/system/state.hpp"

namespace pliant {

/// The stage of a moment in a step at which places and velocities are known: for forces there.
Stage instant(const State& step_start, double dt, double time, const Vector& x, const Vector& v);

/// Whether a step from t to t + dt ends with other vertices held than it begins with.
bool changes_hold(const Model& model, double t, double dt);

}  // namespace pliant
