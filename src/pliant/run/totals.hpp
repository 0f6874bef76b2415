#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pliant/integrate/scheme.hpp"
#include "pliant/system/model.hpp"

namespace pliant {

/// A step that did not converge, as summary.json lists it.
struct FailedStep {
  std::int64_t step = 0;
  double time = 0;  ///< at the end of the step, s
  std::string status;
  std::string body;
  std::int32_t element = -1;
  double force = 0;  ///< N
  std::string message;
};

/// Wall-clock seconds by phase, without those in which the run was paused.
struct PhaseSeconds {
  double total = 0, assembly = 0, linear_solve = 0, line_search = 0, contact = 0, output = 0;
};

/// What a run has done since frame 0, interruptions left out. Part of every checkpoint, so that the summary
/// of a resumed run counts all of it.
struct RunTotals {
  std::int32_t frames = 0;  ///< computed after frame 0
  std::int64_t steps = 0, steps_converged = 0, steps_as_asked = 0;
  std::int64_t iterations = 0, linear_solves = 0, cg_iterations = 0;
  PhaseSeconds seconds;
  std::int64_t peak_memory = 0;      ///< bytes
  Energies energies;                 ///< after the last step
  std::vector<FailedStep> failures;  ///< the first kListedFailures of them

  static constexpr size_t kListedFailures = 20;

  std::int64_t failed_steps() const { return steps - steps_converged - steps_as_asked; }

  /// Counts a step.
  void add(const StepReport& report);
};

/// The most memory this process has held so far, bytes.
std::int64_t peak_memory_bytes();

}  // namespace pliant
