#pragma once

#include <string>
#include <vector>

#include "pliant/base/files.hpp"
#include "pliant/mesh_file/npy.hpp"
#include "pliant/run/output_folder.hpp"
#include "pliant/run/run.hpp"
#include "pliant/scene/scene.hpp"
#include "run/fake_simulation.hpp"

namespace pliant {

inline Simulation simulation_of(const std::string& scene) {
  return build(place_scene(parse_scene(scene, "scene.toml"), "."));
}

/// Runs a scene for some frames.
inline void run_scene(const std::filesystem::path& folder, const std::string& scene, int frames = 0) {
  Simulation simulation = simulation_of(scene);
  run(simulation, {.folder = folder, .frames = frames});
}

/// Replaces a frame.
inline void put_frame(const std::filesystem::path& folder, int frame, const std::vector<Vec3>& positions) {
  std::vector<float> values;
  for (const Vec3& x : positions)
    for (int i = 0; i < 3; ++i) values.push_back(static_cast<float>(x[i]));
  write_file_atomically(frame_path(folder, frame), npy_bytes(values, std::ssize(positions), 3));
}

inline const std::string kSolidScene = R"(
name = "Solid"
duration = 1
gravity = [0, 0, 0]
[[body]]
name = "block"
shape = { kind = "box", size = [1, 1, 1], cells = [3, 3, 3], tets_per_cell = 5 }
material = { model = "stable-neo-hookean", young = 1e4, poisson = 0.3, density = 1000 }
)";

}  // namespace pliant
