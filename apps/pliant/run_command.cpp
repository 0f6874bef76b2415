#include "run_command.hpp"

#include "pliant/base/log.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/run/progress.hpp"
#include "pliant/run/run.hpp"
#include "pliant/scene/names.hpp"
#include "pliant/scene/scene.hpp"
#include "scene_folders.hpp"

namespace pliant {

int run_command(const RunCommandOptions& options) {
  log::set_quiet(options.quiet);
  set_threads(options.threads);
  Simulation simulation =
      build(read_scene(scene_gallery().find(options.scene.scene), options.scene.overrides));
  const std::filesystem::path folder =
      options.folder.empty() ? std::filesystem::path("out") / to_file_name(simulation.name) : options.folder;
  log::info(format("{}: {} vertices, {}, {} threads, into {}", simulation.name,
                   simulation.model->vertex_count(), simulation.solver_name, threads(), folder.string()));
  Progress progress(options.quiet);
  RunObserver* observers[] = {&progress};
  const RunOptions run_options{folder, options.frames, options.resume, options.overwrite};
  const RunResult result = run(simulation, run_options, observers);
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
  return result.exit_code();
}

}  // namespace pliant
