#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

/// The lines of steps.csv. Numbers keep all their digits; the columns of wall-clock seconds come last.
class StepsTable {
 public:
  /// Energies that a run has besides the usual ones, as `start` names them, get columns after those. Throws
  /// InputError where one is called as another column is.
  explicit StepsTable(const Energies& start);

  const std::string& header() const { return header_; }
  std::string line(const StepRow& row) const;

 private:
  std::vector<std::string> energies_;  ///< in their order
  std::string header_;
};

}  // namespace pliant
