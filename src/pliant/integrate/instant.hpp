#pragma once

#include "pliant/potential/potential.hpp"
#include "pliant/system/state.hpp"

namespace pliant {

/// A stage of a step, at that time; how places go into velocities and accelerations is still to be said.
Stage stage_at(const State& step_start, double dt, double time);

/// The stage of a moment in a step at which places and velocities are known: for forces there.
Stage instant(const State& step_start, double dt, double time, const Vector& x, const Vector& v);

}  // namespace pliant
