#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>

#include "pliant/run/observer.hpp"

namespace pliant {

/// The hand on a run that computes in this process: pauses it between two steps, lets it go on, ends it.
/// Commands come from the threads of a server; the run asks before every step.
class LiveRun : public RunObserver {
 public:
  enum class State { running, paused, done, stopped, failed };

  /// `begins` is called when the folder of the run is in place.
  explicit LiveRun(std::function<void()> begins = {}) : begins_(std::move(begins)) {}

  void run_begins(const RunTotals& totals, int frames_planned) override;
  /// Returns when the run is not paused: what was computed before is on the disk by then.
  void step_begins() override;

  /// "pause", "continue" or "stop"; stop ends the run as an interrupt does, with a checkpoint. Throws
  /// InputError for anything else and where the run has ended.
  void command(const std::string& what);

  /// What came of the run.
  void ended(State state, std::string message);

  /// Whether the command to stop was given.
  bool was_stopped() const;
  State state() const;
  std::string message() const;

 private:
  std::function<void()> begins_;
  mutable std::mutex busy_;
  std::condition_variable changed_;
  bool pause_ = false, stop_ = false;
  State state_ = State::running;
  std::string message_;
};

const char* name(LiveRun::State state);

}  // namespace pliant
