#include "pliant/study/basin.hpp"

#include <algorithm>

#include "pliant/base/files.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/scene/registry.hpp"

namespace pliant {

namespace {

std::string setting(const SweptKey& swept, int pixel, int pixels) {
  return format("{}={}", swept.key, swept.from + (pixel + 0.5) / pixels * (swept.to - swept.from));
}

Scene scene_of_pixel(const BasinQuestion& question, const std::string& text, int column, int row) {
  std::vector<std::string> overrides = question.overrides;
  overrides.push_back(setting(question.across, column, question.pixels));
  overrides.push_back(setting(question.up, question.pixels - 1 - row, question.pixels));
  return place_scene(parse_scene(text, question.scene.string(), overrides), question.scene.parent_path());
}

}  // namespace

Index BasinMap::converged() const {
  return std::count_if(pixels.begin(), pixels.end(),
                       [](const BasinPixel& pixel) { return is_converged(pixel.status); });
}

int BasinMap::most_iterations() const {
  int most = 0;
  for (const BasinPixel& pixel : pixels)
    if (is_converged(pixel.status)) most = std::max(most, pixel.iterations);
  return most;
}

double BasinMap::mean_iterations() const {
  double sum = 0;
  for (const BasinPixel& pixel : pixels)
    if (is_converged(pixel.status)) sum += pixel.iterations;
  return sum / static_cast<double>(std::max<Index>(1, converged()));
}

Scene basin_scene(const BasinQuestion& question, int column, int row) {
  return scene_of_pixel(question, read_file(question.scene), column, row);
}

std::vector<BasinMap> basin_maps(const BasinQuestion& question) {
  const Index pixels = Index{question.pixels} * question.pixels;
  std::vector<BasinMap> maps;
  for (const std::string& method : question.methods)
    for (const double step : question.steps) maps.push_back({method, step, std::vector<BasinPixel>(pixels)});
  const std::string text = read_file(question.scene);
  parallel_tasks(pixels, [&](Index i) {
    const Scene scene = scene_of_pixel(question, text, static_cast<int>(i % question.pixels),
                                       static_cast<int>(i / question.pixels));
    const Simulation simulation = build(scene);
    SteppingOptions stepping = stepping_of(builder_of(scene), scene.keys);
    for (BasinMap& map : maps) {
      stepping.solver.method = map.method;
      State state = simulation.state;
      const Outcome outcome = make_scheme(*simulation.model, stepping)->step(state, map.step).outcome;
      map.pixels[i] = {outcome.iterations, outcome.status};
    }
  });
  return maps;
}

}  // namespace pliant
