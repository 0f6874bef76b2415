#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "pliant/run/observer.hpp"
#include "pliant/run/simulation.hpp"
#include "pliant/run/totals.hpp"

namespace pliant {

struct RunOptions {
  std::filesystem::path folder;
  std::optional<int> frames = {};  ///< to compute after frame 0, instead of what the simulation says
  bool resume = false;             ///< go on with the run in the folder, if there is one
  bool overwrite = false;          ///< replace the run in the folder
  /// Asked before every step whether to end, in place of SIGINT and SIGTERM: for a host with handlers of its
  /// own.
  std::function<bool()> interrupted = nullptr;
};

enum class RunStatus {
  completed,
  interrupted,  ///< by SIGINT or SIGTERM, or as the options say; can be resumed
  stopped       ///< at a step that did not converge, as Simulation::stop_on_failure asks
};

struct RunResult {
  RunStatus status = RunStatus::completed;
  RunTotals totals;  ///< since frame 0, earlier parts of a resumed run included

  /// 0 done; 3 some step did not converge, even if the run went on; 130 interrupted.
  int exit_code() const;
};

/// Computes the frames of a simulation and writes its run folder. A resumed run writes the bytes that an
/// undisturbed one would have written, wall-clock times aside. SIGINT and SIGTERM end it after the step in
/// work, unless the options say what else does. Throws InputError if the folder may not be used
/// (`OutputFolder`) or holds another run than this one, IoError if the disk fails.
///
///     Simulation simulation = build(scene);
///     Progress progress(false);
///     RunObserver* observers[] = {&progress};
///     RunResult result = run(simulation, {.folder = "out/torus"}, observers);
RunResult run(Simulation& simulation, const RunOptions& options,
              std::span<RunObserver* const> observers = {});

/// After a step that was not taken by `run`: what it has stretched too far leaves, with its energy. Whether
/// anything did; model, state and scheme are others then.
bool tear(Simulation& simulation, StepReport& report);

}  // namespace pliant
