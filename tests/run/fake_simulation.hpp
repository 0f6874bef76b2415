#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "lasting_files.hpp"
#include "pliant/base/files.hpp"
#include "pliant/run/run.hpp"
#include "pliant/shape/shapes.hpp"

namespace pliant {

/// A folder of its own for each test, gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "pliant-run-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// Damped springs to the start, with a force that remembers the step before: cheap, and wrong at once if any
/// part of the state is lost.
class FakeScheme : public Scheme {
 public:
  std::map<int, Status> failures;         ///< by step, from 1
  std::function<void(int step)> on_step;  ///< called at the end of each
  double load = 0;                        ///< energy a step under a name that is not usual

  explicit FakeScheme(Vector rest) : rest_(std::move(rest)) {}

  StepReport advance(State& state, double dt) override {
    Vector& memory = state.arrays.at("memory").values;
    const Vector force = -40 * (state.x - rest_) - 0.3 * state.v + 0.1 * memory;
    state.v += dt * force;
    state.x += dt * state.v;
    memory = force;
    const int step = static_cast<int>(std::lround(state.time / dt)) + 1;
    state.time += dt;

    StepReport report;
    report.outcome.status = Status::converged;
    report.outcome.iterations = 2 + step % 3;
    report.outcome.linear_solves = 2;
    report.outcome.cg_iterations = 10 + step;
    report.outcome.residual = 1e-4 / step;
    report.outcome.linear_seconds = 1e-6;
    report.energies.kinetic = 0.5 * state.v.squaredNorm();
    report.energies.add("elastic", 20 * (state.x - rest_).squaredNorm());
    if (load != 0) report.energies.add("load", load * step);
    if (const auto failure = failures.find(step); failure != failures.end()) {
      report.outcome.status = failure->second;
      report.outcome.residual = 0.5;
      report.worst = {"two", 3, 1, 12.5};
    }
    if (on_step) on_step(step);
    return report;
  }

  int order() const override { return 1; }
  Stage first_stage(const State&, double) override { return {}; }

 private:
  Vector rest_;
};

inline FakeScheme& fake_scheme(Simulation& simulation) {
  return static_cast<FakeScheme&>(*simulation.scheme);
}

inline TetMesh unit_tetrahedron(const Vec3& corner) {
  return {{corner, corner + Vec3::UnitX(), corner + Vec3::UnitY(), corner + Vec3::UnitZ()}, {{0, 1, 2, 3}}};
}

/// A ball that moves and turns.
inline Obstacle fake_obstacle() {
  Obstacle obstacle;
  obstacle.name = "ball";
  obstacle.shape = make_sphere(0.5);
  obstacle.motion.center = {1, 2, 3};
  obstacle.motion.axis = {1, 1, 0};
  obstacle.motion.constant_spin = 2;
  obstacle.motion.constant_velocity = {0, 0.3, 0};
  obstacle.friction = 0.25;
  obstacle.surface = {{{0, 0, 0.5}, {0.5, 0, 0}, {0, 0.1, 0}}, {{0, 1, 2}}};
  return obstacle;
}

/// Two bodies of one tetrahedron each, moving, and an obstacle.
inline Simulation fake_simulation(int frames = 6, int steps_per_frame = 2) {
  Simulation simulation;
  simulation.name = "Fake";
  simulation.scene_text = "name = \"Fake\"\nduration = 1\n\n[time]\nscheme = \"fake\"\n";
  simulation.model = std::make_unique<Model>();
  simulation.model->bodies = {{"one", unit_tetrahedron({0, 0, 0}), 0},
                              {"two", unit_tetrahedron({3, 0, 0}), 4}};
  simulation.model->obstacles = {fake_obstacle()};
  simulation.model->mass = Vector::LinSpaced(8, 1, 2);
  Vector rest(24);
  for (const Body& body : simulation.model->bodies)
    for (int i = 0; i < 4; ++i) rest.segment<3>(3 * (body.first_vertex + i)) = body.rest.vertices[i];
  simulation.state.x = rest;
  simulation.state.v = Vector::LinSpaced(24, -1, 1);
  simulation.state.keep("memory", Vector::Zero(24));
  simulation.scheme = std::make_unique<FakeScheme>(rest);
  simulation.frames = frames;
  simulation.steps_per_frame = steps_per_frame;
  simulation.scheme_name = "fake";
  simulation.solver_name = "newton-cg";
  simulation.tolerance = 1e-3;
  return simulation;
}

/// Runs `frames` frames into the folder, undisturbed.
inline RunResult run_fake(const std::filesystem::path& folder, int frames = 6) {
  Simulation simulation = fake_simulation(frames);
  return run(simulation, {.folder = folder});
}

}  // namespace pliant
