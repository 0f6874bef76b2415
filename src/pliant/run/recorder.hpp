#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pliant/base/files.hpp"
#include "pliant/run/output_folder.hpp"
#include "pliant/run/simulation.hpp"
#include "pliant/run/steps_table.hpp"
#include "pliant/run/summary.hpp"

namespace pliant {

/// Writes a run folder, in an order that keeps it whole at every moment: the frame, its rows of steps.csv,
/// and only when those are on the disk the checkpoint that speaks for them. Killing the program therefore
/// loses at most the frame being computed. Throws IoError where the disk fails; what was written before stays
/// valid.
class Recorder {
 public:
  /// Both must outlive it.
  Recorder(const Simulation& simulation, const OutputFolder& folder);

  /// Writes everything that belongs to the start, frame 0 and its checkpoint included.
  void begin(const RunProgress& progress);

  /// Puts the state and totals of the last checkpoint back, and steps.csv to the length it had then. The
  /// simulation is the one that it records.
  void restore(Simulation& simulation, RunProgress& progress);

  void write_step(const StepRow& row);

  /// To be called before a frame where bodies have torn since the one before.
  void write_torn_bodies(int frame);

  /// `totals` says which frame, and goes into the checkpoint.
  void write_frame(const RunTotals& totals);

  /// Between two frames. Not where bodies have torn since the first of them: their files come with the
  /// second.
  void write_checkpoint(const RunTotals& totals);

  void write_summary(const RunProgress& progress);

 private:
  void write_scene();
  void write_bodies();
  void write_obstacles();
  void write_poses(const RunProgress& progress);
  void require_frames(int last) const;

  const Simulation& simulation_;
  const std::filesystem::path folder_;
  const std::uint64_t scene_hash_;
  std::unique_ptr<AppendedFile> steps_;
  std::optional<StepsTable> table_;  ///< of the run's start
  std::vector<size_t> elements_;     ///< of each body, as its last file says
};

}  // namespace pliant
