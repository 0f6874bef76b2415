#include "converge.hpp"

#include <algorithm>
#include <map>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/log.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/scene/registry.hpp"
#include "pliant/scene/scene.hpp"
#include "pliant/study/convergence.hpp"
#include "scene_folders.hpp"

namespace pliant {

namespace {

struct Contestant {
  std::string name;
  SolverOptions options;
  double prepared = 0;                                  ///< in the first step, s
  std::vector<double> conditions;                       ///< of each step, if asked for
  std::map<int, std::vector<ConvergencePoint>> points;  ///< by iterations, one a step
};

Contestant read_contestant(const std::string& text, const SceneChoice& scene) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos || colon == 0)
    throw InputError(
        format("'{}' names no solver; write it as NAME:KEY=VALUE,KEY=VALUE, for instance "
               "ours:solver.method=lbfgs,solver.lbfgs.window=5",
               text));
  std::vector<std::string> overrides = scene.overrides;
  for (size_t at = colon + 1; at < text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    overrides.push_back(text.substr(at, end - at));
    if (overrides.back().rfind("solver.", 0) != 0)
      throw InputError(
          format("'{}' is no key of the solver; all solvers are given the same problem", overrides.back()));
    at = end + 1;
  }
  const Scene read = read_scene(scene_gallery().find(scene.scene), overrides);
  return {.name = text.substr(0, colon),
          .options = solver_options(read.keys.solver),
          .prepared = 0,
          .conditions = {},
          .points = {}};
}

void study(ConvergenceStudy& step, const ConvergeOptions& options, Contestant& contestant) {
  if (options.condition) {
    contestant.conditions.push_back(step.condition(contestant.options));
    return;
  }
  const Convergence found = step.of(contestant.options, options.iterations);
  if (contestant.points.empty()) contestant.prepared = found.prepared;
  // A descent that has come to its end stays there.
  size_t next = 0;
  for (const int iterations : kept_iterations(options.iterations)) {
    while (next + 1 < found.points.size() && found.points[next + 1].iterations <= iterations) ++next;
    contestant.points[iterations].push_back(found.points[next]);
  }
}

template <class Get>
double mean(const std::vector<ConvergencePoint>& points, Get get) {
  double sum = 0;
  for (const ConvergencePoint& point : points) sum += get(point);
  return sum / static_cast<double>(points.size());
}

double mean_error(const std::vector<ConvergencePoint>& points) {
  return mean(points, [](const ConvergencePoint& point) { return std::max(point.error, 0.0); });
}

double mean_seconds(const std::vector<ConvergencePoint>& points) {
  return mean(points, [](const ConvergencePoint& point) { return point.seconds; });
}

std::string to_csv(const std::vector<Contestant>& contestants) {
  std::string csv = "solver,prepared,iterations,seconds,error,residual\n";
  for (const Contestant& contestant : contestants)
    for (const auto& [iterations, points] : contestant.points)
      csv += format("{},{},{},{},{},{}\n", contestant.name, contestant.prepared, iterations,
                    mean_seconds(points), mean_error(points),
                    mean(points, [](const ConvergencePoint& point) { return point.residual; }));
  return csv;
}

void say(const Contestant& contestant) {
  std::string line = format("{:<24}", contestant.name);
  for (const double condition : contestant.conditions) line += format("  condition {:.4g}", condition);
  for (int iterations = 1; contestant.points.count(iterations); iterations *= 10) {
    const std::vector<ConvergencePoint>& points = contestant.points.at(iterations);
    line += format("  {}: {:.2e} in {:.1f} ms", iterations, mean_error(points), 1000 * mean_seconds(points));
  }
  log::info(line);
}

}  // namespace

int converge_command(const ConvergeOptions& options) {
  set_threads(options.threads);
  std::vector<Contestant> contestants;
  for (const std::string& text : options.solvers) contestants.push_back(read_contestant(text, options.scene));
  Simulation simulation =
      build(read_scene(scene_gallery().find(options.scene.scene), options.scene.overrides));
  const double dt = 1 / (simulation.frame_rate * simulation.steps_per_frame);
  for (int step = 1; step < options.step + options.count; ++step) {
    if (step >= options.step) {
      const Stage stage = simulation.scheme->first_stage(simulation.state, dt);
      ConvergenceStudy problem(*simulation.model, stage);
      for (Contestant& contestant : contestants) study(problem, options, contestant);
    }
    simulation.step(dt);
    simulation.state.time = step / (simulation.frame_rate * simulation.steps_per_frame);
    if (simulation.tearing) simulation.tearing->after_step(simulation);
  }
  for (const Contestant& contestant : contestants) say(contestant);
  if (options.output.empty()) return 0;
  std::error_code failed;
  if (options.output.has_parent_path())
    std::filesystem::create_directories(options.output.parent_path(), failed);
  write_file_atomically(options.output, to_csv(contestants));
  return 0;
}

}  // namespace pliant
