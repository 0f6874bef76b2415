#include "pliant/view/live_run.hpp"

#include <chrono>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/run/interrupt.hpp"

namespace pliant {

namespace {
/// A signal cannot wake a paused run; it is looked for this often.
constexpr std::chrono::milliseconds kSignalCheck(50);
}  // namespace

const char* name(LiveRun::State state) {
  switch (state) {
    case LiveRun::State::running:
      return "running";
    case LiveRun::State::paused:
      return "paused";
    case LiveRun::State::done:
      return "done";
    case LiveRun::State::stopped:
      return "stopped";
    case LiveRun::State::failed:
      return "failed";
  }
  return "";
}

void LiveRun::run_begins(const RunTotals&, int) {
  if (begins_) begins_();
}

void LiveRun::step_begins() {
  std::unique_lock lock(busy_);
  while (pause_ && !interrupt_requested()) {
    state_ = State::paused;
    changed_.wait_for(lock, kSignalCheck);
  }
  state_ = State::running;
}

void LiveRun::command(const std::string& what) {
  {
    const std::lock_guard lock(busy_);
    if (state_ != State::running && state_ != State::paused) throw InputError("the run has ended");
    if (what != "pause" && what != "continue" && what != "stop")
      throw InputError(format("'{}' is no command; known are pause, continue and stop", what));
    pause_ = what == "pause";
    if (what == "stop") {
      stop_ = true;
      request_interrupt();
    }
  }
  changed_.notify_all();
}

void LiveRun::ended(State state, std::string message) {
  const std::lock_guard lock(busy_);
  state_ = state;
  message_ = std::move(message);
}

bool LiveRun::was_stopped() const {
  const std::lock_guard lock(busy_);
  return stop_;
}

LiveRun::State LiveRun::state() const {
  const std::lock_guard lock(busy_);
  return state_;
}

std::string LiveRun::message() const {
  const std::lock_guard lock(busy_);
  return message_;
}

}  // namespace pliant
