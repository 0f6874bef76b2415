#include "pliant/run/run.hpp"

#include <algorithm>

#include "pliant/base/error.hpp"
#include "pliant/base/log.hpp"
#include "pliant/base/text.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/integrate/account.hpp"
#include "pliant/integrate/step_control.hpp"
#include "pliant/run/explain.hpp"
#include "pliant/run/interrupt.hpp"
#include "pliant/run/recorder.hpp"

namespace pliant {

namespace {

/// After so many warnings about steps that did not converge, the rest is counted only.
constexpr int kWarnings = 5;

const char* name(RunStatus status) {
  switch (status) {
    case RunStatus::completed:
      return "completed";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::stopped:
      return "stopped";
  }
  return "";
}

/// One call of `run`: the loop over frames and steps.
class FrameLoop {
 public:
  FrameLoop(Simulation& simulation, const RunOptions& options, std::span<RunObserver* const> observers)
      : simulation_(simulation),
        observers_(observers),
        interrupted_(options.interrupted),
        folder_(options.folder, options.resume, options.overwrite),
        recorder_(simulation, folder_) {
    if (!interrupted_) signals_.emplace();
    progress_.status = "running";
    progress_.start = progress_.totals.energies = energies_of(*simulation.model, simulation.state);
    progress_.frames_planned = options.frames.value_or(simulation.frames);
    for (const Body& body : simulation.model->bodies) progress_.bodies.push_back(head_of(body));
  }

  RunResult run() {
    begin();
    RunStatus status;
    try {
      status = compute_frames();
    } catch (...) {
      finish_failed();
      throw;
    }
    const std::int64_t silent = warned_ - kWarnings;
    if (silent > 0) warn(format("{} more steps did not converge; their messages are left out", silent));
    finish(name(status));
    return {status, progress_.totals};
  }

 private:
  RunTotals& totals() { return progress_.totals; }

  void begin() {
    if (folder_.holds_run())
      recorder_.restore(simulation_, progress_);
    else
      recorder_.begin(progress_);
    seconds_before_ = totals().seconds.total;
    for (RunObserver* observer : observers_) observer->run_begins(totals(), progress_.frames_planned);
  }

  RunStatus compute_frames() {
    while (totals().frames < progress_.frames_planned) {
      while (!frame_reached()) {
        begin_step();
        if (signals_ ? signals_->requested() : interrupted_()) {
          keep_steps();
          return RunStatus::interrupted;
        }
        const bool converged = take_step();
        if (!converged && simulation_.stop_on_failure) return RunStatus::stopped;
      }
      ++totals().frames;
      write_frame();
    }
    return RunStatus::completed;
  }

  /// An observer may hold the run here, as somebody who has paused it does: that is no time of computing.
  void begin_step() {
    const Timer held;
    for (RunObserver* observer : observers_) observer->step_begins();
    seconds_held_ += held.seconds();
  }

  double next_frame_time() const { return (progress_.totals.frames + 1) / simulation_.frame_rate; }

  bool frame_reached() const {
    const RunTotals& so_far = progress_.totals;
    return simulation_.step_tolerance
               ? simulation_.state.time >= next_frame_time()
               : so_far.steps == (so_far.frames + std::int64_t{1}) * simulation_.steps_per_frame;
  }

  /// So that a run that is resumed need not compute the steps since the last frame again.
  void keep_steps() {
    if (torn_) return;
    measure();
    recorder_.write_checkpoint(totals());
  }

  StepReport advance() {
    if (simulation_.step_tolerance) {
      const StepReport report = simulation_.advance(next_frame_time(), 1 / simulation_.frame_rate);
      constexpr double kRoundoff = 1e-12;
      if (simulation_.state.time > (1 - kRoundoff) * next_frame_time())
        simulation_.state.time = next_frame_time();
      return report;
    }
    // Times are multiples of the step, so that they do not drift away from those of the frames.
    const double steps_per_second = simulation_.frame_rate * simulation_.steps_per_frame;
    const StepReport report = simulation_.step(1 / steps_per_second);
    simulation_.state.time = static_cast<double>(totals().steps + 1) / steps_per_second;
    return report;
  }

  /// False where the step failed.
  bool take_step() {
    const Timer timer;
    StepReport report = advance();
    torn_ |= tear(simulation_, report);
    const double seconds = timer.seconds();
    totals().add(report);
    {
      ScopedTimer output(totals().seconds.output);
      recorder_.write_step({totals().frames + 1, totals().steps, simulation_.state.time, report,
                            momenta(simulation_.model->mass, simulation_.state),
                            simulation_.model->inverted_elements(simulation_.state.x), seconds});
    }
    const bool failed = has_failed(report.outcome.status);
    if (failed) note_failure(report);
    for (RunObserver* observer : observers_) observer->step_done(totals(), report);
    return !failed;
  }

  void write_frame() {
    measure();
    {
      ScopedTimer output(totals().seconds.output);
      if (torn_) recorder_.write_torn_bodies(totals().frames);
      torn_ = false;
      recorder_.write_frame(totals());
    }
    for (RunObserver* observer : observers_) observer->frame_done(totals());
  }

  void note_failure(const StepReport& report) {
    const double time = simulation_.state.time;
    const std::string why = explain(report, simulation_.tolerance, simulation_.solver_name);
    const std::string message = format("step {} (frame {}, t = {:.6g} s) did not converge: {}",
                                       totals().steps, totals().frames + 1, time, why);
    if (totals().failures.size() < RunTotals::kListedFailures)
      totals().failures.push_back({totals().steps, time, std::string(pliant::name(report.outcome.status)),
                                   report.worst.body, report.worst.element, report.worst.force, message});
    if (++warned_ <= kWarnings) warn(message);
  }

  void warn(const std::string& message) {
    for (RunObserver* observer : observers_) observer->message_follows();
    log::warn(message);
  }

  void measure() {
    totals().seconds.total = seconds_before_ + timer_.seconds() - seconds_held_;
    totals().peak_memory = std::max(totals().peak_memory, peak_memory_bytes());
  }

  /// Where even this cannot be written, what broke the run is the thing to report.
  void finish_failed() noexcept {
    try {
      finish("failed");
    } catch (...) {
    }
  }

  void finish(const std::string& status) {
    for (RunObserver* observer : observers_) observer->run_ends();
    measure();
    progress_.status = status;
    recorder_.write_summary(progress_);
  }

  std::optional<InterruptWatch> signals_;
  Timer timer_;
  Simulation& simulation_;
  std::span<RunObserver* const> observers_;
  std::function<bool()> interrupted_;
  OutputFolder folder_;
  Recorder recorder_;
  RunProgress progress_;
  double seconds_before_ = 0;  ///< of the parts of the run before this one
  double seconds_held_ = 0;    ///< by observers, between steps
  bool torn_ = false;          ///< since the last frame
  int warned_ = 0;
};

}  // namespace

int RunResult::exit_code() const {
  if (status == RunStatus::interrupted) return 130;
  return totals.failed_steps() > 0 ? 3 : 0;
}

bool tear(Simulation& simulation, StepReport& report) {
  if (!simulation.tearing || !simulation.tearing->after_step(simulation)) return false;
  const double before = report.energies.total();
  report.energies = energies_of(*simulation.model, simulation.state);
  report.work.tear = before - report.energies.total();
  return true;
}

RunResult run(Simulation& simulation, const RunOptions& options, std::span<RunObserver* const> observers) {
  if (options.frames && *options.frames < 0) throw InputError("the number of frames must not be negative");
  try {
    return FrameLoop(simulation, options, observers).run();
  } catch (const IoError& error) {
    throw IoError(
        format("{}; frames recorded before are safe: make room, or mend what is broken, and go on with "
               "--resume",
               error.what()));
  }
}

}  // namespace pliant
