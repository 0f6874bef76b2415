#pragma once

#include <cstdint>
#include <string>

#include "pliant/integrate/scheme.hpp"

namespace pliant {

/// Momenta of a state about the origin.
struct Momenta {
  Vec3 linear = Vec3::Zero();   ///< kg m/s
  Vec3 angular = Vec3::Zero();  ///< kg m^2/s
};

Momenta momenta(const Vector& mass, const State& state);

/// What one row of steps.csv says.
struct StepRow {
  std::int32_t frame = 0;  ///< the frame the step leads to
  std::int64_t step = 0;   ///< from 1
  double time = 0;         ///< at its end, s
  StepReport report;
  Momenta momenta;
  std::int64_t inverted = 0;  ///< elements inside out at its end
  double seconds = 0;         ///< wall clock
};

/// The first line of steps.csv, and the line of a step. Numbers keep all their digits; the columns of
/// wall-clock seconds come last.
std::string steps_header();
std::string steps_line(const StepRow& row);

}  // namespace pliant
