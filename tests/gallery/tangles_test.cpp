// Gast and Schroeder 2014, figures 8 and 9, in small: cubes that start from randomness or from a single point
// find back.
#include <map>

#include "pliant/base/text.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant::tangles_test {
namespace {

struct Recovery {
  int frames = 0;  ///< until no element was inverted
  bool converged = true;
};

/// Runs a small version of a scene until no element is inverted.
Recovery recover(const std::string& scene) {
  Simulation simulation = build(read_scene(format("{}/scenes/gast-2015/{}.toml", PLIANT_SOURCE_DIR, scene),
                                           std::vector<std::string>{"body.0.shape.cells=[8, 8, 8]"}));
  Recovery recovery;
  do {
    const StepReport report = simulation.scheme->step(simulation.state, 1 / simulation.frame_rate);
    recovery.converged &= is_converged(report.outcome.status);
    ++recovery.frames;
  } while (simulation.model->inverted_elements(simulation.state.x) > 0 &&
           recovery.frames <= simulation.frames);
  EXPECT_LE(recovery.frames, simulation.frames) << scene << " is not untangled at its end";
  return recovery;
}

class TangledFrom : public ::testing::TestWithParam<std::string> {};

TEST_P(TangledFrom, RecoversTheFasterTheStifferItIs) {
  std::map<std::string, int> frames;
  for (const char* stiffness : {"low", "medium", "high"}) {
    const Recovery recovery = recover(GetParam() + "-" + stiffness);
    EXPECT_TRUE(recovery.converged) << stiffness;
    frames[stiffness] = recovery.frames;
  }
  EXPECT_EQ(frames["high"], 1);
  EXPECT_LT(frames["medium"], 40);
  EXPECT_GT(frames["low"], 50);
}

INSTANTIATE_TEST_SUITE_P(Gast, TangledFrom, ::testing::Values("random", "point"),
                         [](const auto& parameter) { return parameter.param; });

}  // namespace
}  // namespace pliant::tangles_test
