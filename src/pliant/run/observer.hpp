#pragma once

#include "pliant/run/totals.hpp"

namespace pliant {

/// Told what a run does while it does it. An exception thrown here ends the run, which can then be resumed.
class RunObserver {
 public:
  virtual ~RunObserver() = default;

  /// Before the first step; `totals.frames` is where a resumed run starts.
  virtual void run_begins(const RunTotals& totals, int frames_planned) {
    static_cast<void>(totals), static_cast<void>(frames_planned);
  }

  /// Before every step; the run waits until it returns, which does not count as its time.
  virtual void step_begins() {}

  virtual void step_done(const RunTotals& totals, const StepReport& report) {
    static_cast<void>(totals), static_cast<void>(report);
  }

  /// When the frame and its checkpoint are on the disk.
  virtual void frame_done(const RunTotals& totals) { static_cast<void>(totals); }

  /// Before a message is logged, so that a progress bar gets out of its way.
  virtual void message_follows() {}

  virtual void run_ends() {}
};

}  // namespace pliant
