// What the gallery's experiments must show, in small.
#include "pliant/base/text.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant {
namespace {

struct Small {
  std::string cells = "6, 6, 6";
  std::string method = "newton-cg";
  int steps_per_frame = 1;
  int frames = 72;
};

/// Share of steps that converge in the first frames of a scene.
double share_converged(const std::string& scene, const Small& small) {
  const std::vector<std::string> overrides{
      format("body.0.shape.cells=[{}]", small.cells), format("solver.method={}", small.method),
      format("solver.max_iterations={}", small.method == "newton-plain" ? 20 : 500),
      format("time.steps_per_frame={}", small.steps_per_frame)};
  Simulation simulation = build(read_scene(format("{}/scenes/{}.toml", PLIANT_SOURCE_DIR, scene), overrides));
  const int steps = small.frames * small.steps_per_frame;
  int converged = 0;
  for (int i = 0; i < steps; ++i) {
    const double dt = 1 / (simulation.frame_rate * small.steps_per_frame);
    converged += is_converged(simulation.scheme->step(simulation.state, dt).outcome.status);
  }
  return double(converged) / steps;
}

TEST(Stretch, ConvergesAtOneStepAFrame) { EXPECT_EQ(share_converged("gast-2015/stretch", {}), 1); }

TEST(StretchPulse, ConvergesAtOneStepAFrame) { EXPECT_EQ(share_converged("gast-2015/stretch-pulse", {}), 1); }

TEST(Demo, ConvergesAtOneStepAFrame) { EXPECT_EQ(share_converged("demo", {.cells = "16, 4, 4"}), 1); }

TEST(Stretch, PlainNewtonFailsInTheFirstFrameAtFullSizeUnlessItIsCutInThree) {
  const std::string full = "17, 18, 17";
  EXPECT_EQ(share_converged("gast-2015/stretch", {.cells = full, .method = "newton-plain", .frames = 1}), 0);
  EXPECT_EQ(share_converged("gast-2015/stretch",
                            {.cells = full, .method = "newton-plain", .steps_per_frame = 3, .frames = 1}),
            1);
  EXPECT_EQ(share_converged("gast-2015/stretch", {.cells = full, .frames = 1}), 1);
}

}  // namespace
}  // namespace pliant
