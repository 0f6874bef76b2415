#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "pliant/study/compare_plan.hpp"

namespace pliant {

/// What a run folder tells of a run, for a row of a table.
struct MemberResult {
  bool finished = false;     ///< it ran to its end, or to a step after which it was to stop
  bool complete = false;     ///< with every frame that was planned
  int exit_code = 0;         ///< -1 where a signal ended it
  std::string status;        ///< "done", "3 steps failed", "stopped", "exit code 4", "killed (signal 9)"
  std::string message;       ///< what went wrong, if anything
  bool has_numbers = false;  ///< of those that follow
  double seconds = 0;        ///< wall clock
  std::int64_t steps = 0, converged = 0, failed = 0, iterations = 0, linear_solves = 0;
  int threads = 0;
  double energy_start = 0;  ///< J
};

/// Reads a member's folder. What is missing or belongs to another build or scene counts as not finished.
/// Throws nothing but what the machine cannot help.
MemberResult read_result(const std::filesystem::path& folder, const PlannedMember& member);

/// How a process that did not finish its run ended, in the words of the result; `output` is the file with
/// what it said.
void note_broken_end(MemberResult& result, int exit_code, int signal, const std::filesystem::path& output);

/// Energy that a run has gained or lost and that neither work nor damping nor tears explain.
struct EnergyDrift {
  double largest = 0;  ///< J, with its sign, where it was farthest from zero
  double scale = 0;    ///< J, the most kinetic and elastic energy at any step
};

/// From the text of steps.csv: of total - start - work + damping + tears, summed from the start. Nothing
/// where the text has no such columns.
std::optional<EnergyDrift> energy_drift(std::string_view steps, double energy_start);

/// The last line of a text that is not blank.
std::string last_line(std::string_view text);

}  // namespace pliant
