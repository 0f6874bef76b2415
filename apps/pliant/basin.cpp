#include "basin.hpp"

#include <algorithm>
#include <charconv>

#include "inversion.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/log.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/picture/montage.hpp"
#include "pliant/picture/png.hpp"
#include "pliant/picture/renderer.hpp"
#include "pliant/scene/names.hpp"
#include "pliant/scene/registry.hpp"
#include "pliant/study/basin.hpp"
#include "scene_folders.hpp"

namespace pliant {

namespace {

double to_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  throw InputError(format("'{}' is not a number", text));
}

SweptKey to_swept(const std::string& text) {
  const size_t equals = text.find('='), colon = text.find(':', equals);
  if (equals == std::string::npos || colon == std::string::npos)
    throw InputError(
        format("'{}' is no range of a key; write it as KEY=FROM:TO, for instance "
               "body.0.start.stretch.0=-1:2 (which the scene must hold)",
               text));
  return {text.substr(0, equals), to_number(std::string_view(text).substr(equals + 1, colon - equals - 1)),
          to_number(std::string_view(text).substr(colon + 1))};
}

double to_step(const std::string& text) {
  const size_t slash = text.find('/');
  const double step = slash == std::string::npos ? to_number(text)
                                                 : to_number(std::string_view(text).substr(0, slash)) /
                                                       to_number(std::string_view(text).substr(slash + 1));
  if (step > 0 && step < 1e9) return step;
  throw InputError(format("a step of {} s is not possible; it must be positive", text));
}

BasinQuestion to_question(const BasinOptions& options) {
  BasinQuestion question{.scene = scene_gallery().find(options.scene.scene),
                         .overrides = options.scene.overrides,
                         .across = to_swept(options.across),
                         .up = to_swept(options.up),
                         .steps = {},
                         .methods = options.methods,
                         .pixels = options.pixels};
  for (const std::string& step : options.steps) question.steps.push_back(to_step(step));
  for (const std::string& method : options.methods) {
    const auto known = solver_choices();
    if (std::none_of(known.begin(), known.end(), [&](const Choice& c) { return c.name == method; }))
      throw InputError(format("no solver is called '{}'; `pliant list` names them", method));
  }
  return question;
}

/// The colours of gast-2014, figure 2: black for no iteration, blue for 15, cyan for 30 and more, red where
/// it does not converge.
std::array<std::uint8_t, 3> color_of(const BasinPixel& pixel) {
  if (!is_converged(pixel.status)) return {220, 30, 30};
  const auto ramp = [&](int from) {
    return static_cast<std::uint8_t>(255 * std::clamp((pixel.iterations - from) / 15.0, 0.0, 1.0));
  };
  return {0, ramp(15), ramp(0)};
}

/// Pixels of small maps become squares that can be seen.
Image picture_of(const BasinMap& map, int pixels) {
  constexpr int kWanted = 192;
  const int size = std::max(1, kWanted / pixels);
  Image image(pixels * size, pixels * size);
  for (int row = 0; row < image.height(); ++row) {
    for (int column = 0; column < image.width(); ++column) {
      const auto color = color_of(map.pixels[(row / size) * pixels + column / size]);
      std::copy(color.begin(), color.end(), image.pixel(column, row));
    }
  }
  return image;
}

/// What the scenes at the middles of a coarse grid look like at the start.
Image picture_of_starts(BasinQuestion question) {
  question.pixels = 5;
  std::vector<std::vector<Drawable>> starts;
  RenderSettings settings;
  settings.width = settings.height = 192;
  settings.edges = true;
  bool planar = true;
  CameraFit fit(1.0);
  for (int i = 0; i < question.pixels * question.pixels; ++i) {
    const Simulation simulation = build(basin_scene(question, i % question.pixels, i / question.pixels));
    auto& drawables = starts.emplace_back();
    for (const Body& body : simulation.model->bodies) {
      std::vector<Vec3> positions;
      for (size_t k = 0; k < body.rest.vertices.size(); ++k) {
        positions.push_back(simulation.state.x.segment<3>(3 * (body.first_vertex + static_cast<Index>(k))));
        fit.include(positions.back());
        settings.bounds.extend(positions.back());
      }
      for (Drawable& drawable : color_inverted(body.rest, extract_surface(body.rest), positions))
        drawables.push_back(std::move(drawable));
      planar = planar && body.rest.planar();
    }
  }
  settings.camera = fit.camera();
  if (planar) {
    settings.camera.target = settings.bounds.center();
    settings.camera.eye = settings.camera.target + Vec3(0, 0, 2 * settings.bounds.diagonal().norm());
  }
  std::vector<Image> images;
  for (const auto& drawables : starts) images.push_back(render(drawables, settings));
  return montage(images, question.pixels);
}

std::string to_json(const BasinOptions& options, const std::vector<BasinMap>& maps) {
  std::string text = format("{{\n  \"across\": \"{}\",\n  \"up\": \"{}\",\n  \"pixels\": {},\n  \"maps\": [",
                            options.across, options.up, options.pixels);
  for (const BasinMap& map : maps)
    text += format(
        "{}\n    {{ \"method\": \"{}\", \"step\": {}, \"converged\": {}, \"share\": {}, "
        "\"mean_iterations\": {}, \"most_iterations\": {} }}",
        &map == &maps.front() ? "" : ",", map.method, map.step, map.converged(),
        static_cast<double>(map.converged()) / static_cast<double>(map.pixels.size()), map.mean_iterations(),
        map.most_iterations());
  return text + "\n  ]\n}\n";
}

}  // namespace

int basin_command(const BasinOptions& options) {
  set_threads(options.threads);
  const BasinQuestion question = to_question(options);
  create_folders(options.output);
  write_png(options.output / "starts.png", picture_of_starts(question));
  const std::vector<BasinMap> maps = basin_maps(question);
  std::vector<Image> images;
  for (const BasinMap& map : maps) {
    images.push_back(picture_of(map, options.pixels));
    fmt::print("{:<16} step {:<12.6g} s: {:5.1f}% converged, {:.1f} iterations on average, {} at most\n",
               map.method, map.step, 100.0 * static_cast<double>(map.converged()) / std::ssize(map.pixels),
               map.mean_iterations(), map.most_iterations());
  }
  write_png(options.output / "basin.png", montage(images, static_cast<int>(question.steps.size())));
  write_file_atomically(options.output / "basin.json", to_json(options, maps));
  return 0;
}

}  // namespace pliant
