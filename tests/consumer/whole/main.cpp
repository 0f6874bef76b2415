// A scene file, read and run as the README shows it.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <pliant/scene/scene.hpp>

int main() {
  std::ofstream("scene.toml") << R"(
name = "soft"
duration = 1
frame_rate = 24

[[body]]
shape = { kind = "box", size = [1, 1, 1], cells = [2, 2, 2] }
material = { model = "stable-neo-hookean", young = 1e5, poisson = 0.4 }
)";
  pliant::Simulation simulation = pliant::build(pliant::read_scene("scene.toml"));
  const pliant::Vector start = simulation.state.x;
  const double dt = 1 / simulation.frame_rate;
  const pliant::StepReport report = simulation.step(dt);
  if (!pliant::is_converged(report.outcome.status)) return 1;
  // Nothing holds it: in a step of backward Euler it falls by g dt^2.
  const double fallen = start[1] - simulation.state.x[1];
  std::printf("fallen %.6f m\n", fallen);
  return std::abs(fallen - 9.81 * dt * dt) < 1e-3 * fallen ? 0 : 1;
}
