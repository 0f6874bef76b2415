#include "inspect.hpp"

#include <cstdio>
#include <span>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/base/version.hpp"
#include "pliant/linear/dense_front.hpp"
#include "pliant/scene/registry.hpp"
#include "pliant/scene/scene.hpp"
#include "pliant/setup/combinations.hpp"
#include "scene_folders.hpp"

namespace pliant {

namespace {

void print_choices(const char* title, std::span<const Choice> choices) {
  fmt::print("\n{}\n", title);
  for (const Choice& choice : choices) fmt::print("  {:<22} {}\n", choice.name, choice.meaning);
}

/// What a scene of the gallery calls itself; a broken one says so.
std::string title_of(const Gallery::Entry& entry) {
  try {
    return read_scene_keys(entry.path).name;
  } catch (const InputError&) {
    return "(broken: see pliant check " + entry.name + ")";
  }
}

}  // namespace

int list_command() {
  const Gallery gallery = scene_gallery();
  fmt::print("scenes\n");
  for (const Gallery::Entry& entry : gallery.scenes())
    fmt::print("  {:<34} {}\n", entry.name, title_of(entry));
  print_choices("time.scheme", scheme_choices());
  print_choices("solver.method", solver_choices());
  print_choices("body.material.model", material_choices());
  print_choices("body.shape.kind", shape_choices());
  print_choices("obstacle.contact", contact_choices());
  return 0;
}

int list_combinations_command() {
  fmt::print("Any choices go together but for these:\n");
  for (const CombinationRow& row : combination_rows()) {
    fmt::print("\n{} and {}\n  {}\n", row.one, row.other, row.message);
    if (!row.schemes.empty()) fmt::print("  schemes: {}\n", row.schemes);
  }
  return 0;
}

int check_command(const SceneChoice& choice) {
  const Scene scene = read_scene(scene_gallery().find(choice.scene), choice.overrides);
  const Simulation simulation = build(scene);  // complains about what only shows when all is put together
  fmt::print("{}\n", scene.keys.name);
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodyKeys& keys = scene.keys.bodies[i];
    const PlacedBody& body = scene.bodies[i];
    size_t scripted = 0;
    for (const auto& script : body.scripted) scripted += script.size();
    fmt::print("  body {}: {} vertices, {} elements, {}; {} vertices scripted\n", keys.name,
               body.rest.vertices.size(), body.rest.element_count(), keys.material.model, scripted);
  }
  for (const ObstacleKeys& keys : scene.keys.obstacles)
    fmt::print("  obstacle {}: {}, {}, friction {:g}\n", keys.name, keys.mesh ? "mesh" : keys.shape->kind,
               keys.contact, keys.friction);
  fmt::print("  {} degrees of freedom\n", simulation.model->dof_count());
  const TimeKeys& time = scene.keys.time;
  const std::string steps =
      time.tolerance ? format("steps as long as errors of {:g} m allow", *time.tolerance)
                     : format("{} step{} each", time.steps_per_frame, time.steps_per_frame == 1 ? "" : "s");
  fmt::print("  {} frames of 1/{:g} s, {}, {}, {}\n", scene.keys.frames(), scene.keys.frame_rate, steps,
             time.scheme, scene.keys.solver.method);
  return 0;
}

std::string version_text() {
  return format("pliant {}\nbuilt with: {}\nSIMD: {} doubles at once\nBLAS: {}", version(), build_flags(),
                simd_width(), blas_in_use());
}

}  // namespace pliant
