#include "run_command.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "pliant/base/log.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/run/progress.hpp"
#include "pliant/run/run.hpp"
#include "pliant/scene/names.hpp"
#include "pliant/scene/scene.hpp"
#include "pliant/view/live_run.hpp"
#include "pliant/view/server.hpp"
#include "scene_folders.hpp"
#include "view.hpp"

namespace pliant {

namespace {

// Set by a signal handler, which may use an atomic that has no lock, in whatever thread.
std::atomic<int> end_of_page = 0;
static_assert(std::atomic<int>::is_always_lock_free);

/// While it lives, Ctrl-C ends the page and not the program, whose exit code is the run's; a second one ends
/// that too.
class PageEnd {
 public:
  PageEnd() {
    end_of_page = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { end_of_page = 1; };
    sigemptyset(&action.sa_mask);
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, &before_int_);
    ::sigaction(SIGTERM, &action, &before_term_);
  }
  ~PageEnd() {
    ::sigaction(SIGINT, &before_int_, nullptr);
    ::sigaction(SIGTERM, &before_term_, nullptr);
  }
  PageEnd(const PageEnd&) = delete;
  PageEnd& operator=(const PageEnd&) = delete;

  bool requested() const { return end_of_page != 0; }

 private:
  struct sigaction before_int_ {
  }, before_term_{};
};

/// The page that follows a run. It is served from the moment the run's folder is in place, and after the end
/// as long as somebody looks, or is expected to.
class LiveView {
 public:
  LiveView(const RunCommandOptions& options, const std::filesystem::path& folder)
      : hand_([this, folder, browser = options.browser] {
          if (const auto complaint = server_.add(folder, &hand_)) log::warn(*complaint);
          server_.start();
          log::info("follow the run in a browser:");
          link_.emplace(server_.link(), browser);
        }),
        server_(options.port) {}

  RunObserver* observer() { return &hand_; }

  void ended(const RunResult& result) {
    const auto failed = result.totals.failed_steps();
    const std::string failures = failed > 0 ? format("{} steps did not converge", failed) : "";
    switch (result.status) {
      case RunStatus::completed:
        return ended(LiveRun::State::done, failures);
      case RunStatus::interrupted:
        if (!hand_.was_stopped()) return;  // by somebody at the keyboard, who wants an end
        return ended(LiveRun::State::stopped, "stopped; go on with --resume");
      case RunStatus::stopped:
        return ended(LiveRun::State::failed, failures);
    }
  }

  void ended(LiveRun::State state, const std::string& message) {
    hand_.ended(state, message);
    const bool failed = state == LiveRun::State::failed;
    if (link_) serve_on(failed ? format("the run has failed: {}\n", message) : "");
    // Otherwise it failed before there was a page.
  }

 private:
  /// `first` is said before that the page stays.
  void serve_on(const std::string& first) {
    const PageEnd end;
    const Timer since_end;
    const bool somebody_is_there = link_->opened() || ::isatty(STDOUT_FILENO) == 1;
    const auto wanted = [&] { return is_wanted(server_.visits(), since_end.seconds(), somebody_is_there); };
    if (wanted()) {
      fmt::print("{}the page stays as long as it is open; Ctrl-C ends it\n", first);
      std::fflush(stdout);
    }
    while (wanted() && !end.requested()) std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }

  LiveRun hand_;  // outlives the server, whose threads use it
  LabServer server_;
  std::optional<ShownLink> link_;
};

RunResult run_and_show(Simulation& simulation, const RunOptions& options, Progress& progress,
                       LiveView* view) {
  std::vector<RunObserver*> observers = {&progress};
  if (!view) return run(simulation, options, observers);
  observers.insert(observers.begin(), view->observer());  // its link comes before the bar
  try {
    return run(simulation, options, observers);
  } catch (const std::exception& error) {  // which is an error of the program once the page is closed
    view->ended(LiveRun::State::failed, error.what());
    throw;
  }
}

}  // namespace

int run_command(const RunCommandOptions& options) {
  log::set_quiet(options.quiet);
  set_threads(options.threads);
  Simulation simulation =
      build(read_scene(scene_gallery().find(options.scene.scene), options.scene.overrides));
  const std::filesystem::path folder =
      options.folder.empty() ? std::filesystem::path("out") / to_file_name(simulation.name) : options.folder;
  log::info(format("{}: {} vertices, {}, {} threads, into {}", simulation.name,
                   simulation.model->vertex_count(), simulation.solver_name, threads(), folder.string()));
  const auto view = options.view ? std::make_unique<LiveView>(options, folder) : nullptr;
  Progress progress(options.quiet);
  const RunOptions run_options{folder, options.frames, options.resume, options.overwrite};
  const RunResult result = run_and_show(simulation, run_options, progress, view.get());
  const RunTotals& totals = result.totals;
  if (result.status == RunStatus::interrupted)
    log::warn(format("interrupted after frame {}; go on with --resume", totals.frames));
  if (totals.failed_steps() > 0)
    log::warn(
        format("{} of {} steps did not converge; steps.csv marks them, summary.json explains the first ones",
               totals.failed_steps(), totals.steps));
  if (result.status == RunStatus::stopped) log::warn("stopped there, as solver.on_failure = \"stop\" asks");
  if (const Index inverted = simulation.model->inverted_elements(simulation.state.x); inverted > 0)
    log::warn(format("{} elements are inverted at the end", inverted));
  log::info(format("{} frames, {} steps, {} iterations in {:.1f} s", totals.frames, totals.steps,
                   totals.iterations, totals.seconds.total));
  if (view) view->ended(result);
  return result.exit_code();
}

}  // namespace pliant
