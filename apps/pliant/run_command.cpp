#include "run_command.hpp"

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "pliant/base/log.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/lab/live_run.hpp"
#include "pliant/lab/server.hpp"
#include "pliant/run/progress.hpp"
#include "pliant/run/run.hpp"
#include "pliant/scene/names.hpp"
#include "pliant/scene/scene.hpp"
#include "scene_folders.hpp"
#include "view.hpp"

namespace pliant {

namespace {

/// The page that follows a run. It is served from the moment the run's folder is in place, and after the end
/// as long as somebody looks.
class LiveView {
 public:
  LiveView(const RunCommandOptions& options, const std::filesystem::path& folder)
      : hand_([this, folder, browser = options.browser] {
          if (const auto complaint = server_.add(folder, &hand_)) log::warn(*complaint);
          server_.start();
          log::info("follow the run in a browser:");
          show_link(server_.link(), browser);
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
    constexpr double kNobody = 5;  // s without a question
    if (server_.seconds_since_request() < kNobody)
      log::info("the page is served as long as it is open; Ctrl-C ends it at once");
    while (server_.seconds_since_request() < kNobody)
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }

 private:
  LiveRun hand_;  // outlives the server, whose threads use it
  LabServer server_;
};

RunResult run_and_show(Simulation& simulation, const RunOptions& options, Progress& progress,
                       LiveView* view) {
  std::vector<RunObserver*> observers = {&progress};
  if (!view) return run(simulation, options, observers);
  observers.insert(observers.begin(), view->observer());  // its link comes before the bar
  try {
    return run(simulation, options, observers);
  } catch (const std::exception& error) {
    log::error(error.what());  // now: the page may be open for long
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
