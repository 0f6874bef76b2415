// What the gallery's experiments must show, in small.
#include <algorithm>

#include "pliant/base/text.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant::scenes_test {
namespace {

struct Small {
  std::string cells = "6, 6, 6";
  std::string method = "newton-cg";
  int steps_per_frame = 1;
  int frames = 72;
};

/// The first frames of a scene.
struct Film {
  Simulation simulation;
  int converged = 0;            ///< steps that did
  std::vector<double> elastic;  ///< energy after each step, J

  Film(const std::string& scene, const Small& small) : simulation(build(read(scene, small))) {
    const int steps = small.frames * small.steps_per_frame;
    const double dt = 1 / (simulation.frame_rate * small.steps_per_frame);
    for (int i = 0; i < steps; ++i) {
      const StepReport report = simulation.scheme->step(simulation.state, dt);
      converged += is_converged(report.outcome.status);
      elastic.push_back(report.energies.of("elastic"));
    }
  }

  static Scene read(const std::string& scene, const Small& small) {
    return read_scene(
        format("{}/scenes/{}.toml", PLIANT_SOURCE_DIR, scene),
        std::vector<std::string>{
            format("body.0.shape.cells=[{}]", small.cells), format("solver.method={}", small.method),
            format("solver.max_iterations={}", small.method == "newton-plain" ? 20 : 500),
            format("time.steps_per_frame={}", small.steps_per_frame)});
  }

  double share_converged() const { return converged / static_cast<double>(elastic.size()); }

  /// Between the faces that the two scripts move, each flat.
  double distance_of_faces() const {
    const auto& scripts = simulation.model->scripts;
    for (const Script& script : scripts)
      for (const int vertex : script.vertices)
        EXPECT_EQ(simulation.state.x[3 * vertex], simulation.state.x[3 * script.vertices[0]]);
    return simulation.state.x[3 * scripts[1].vertices[0]] - simulation.state.x[3 * scripts[0].vertices[0]];
  }

  /// Height of the cross-section that lies at x = 0 at rest.
  double height_in_the_middle() const {
    const auto& rest = simulation.model->bodies[0].rest.vertices;
    double low = 1e300, high = -1e300;
    for (size_t i = 0; i < rest.size(); ++i) {
      if (std::abs(rest[i].x()) > 1e-9) continue;
      low = std::min(low, simulation.state.x[3 * i + 1]);
      high = std::max(high, simulation.state.x[3 * i + 1]);
    }
    return high - low;
  }

  Index inverted() const { return simulation.model->inverted_elements(simulation.state.x); }
};

TEST(Stretch, ThinsAsItIsPulledToSevenTimesItsLength) {
  const Film film("gast-2015/stretch", {});
  EXPECT_EQ(film.share_converged(), 1);
  EXPECT_NEAR(film.distance_of_faces(), 7, 1e-9);
  EXPECT_GT(film.height_in_the_middle(), 0.4);
  EXPECT_LT(film.height_in_the_middle(), 0.7);
  EXPECT_EQ(film.inverted(), 0);
  EXPECT_GT(film.elastic.front(), 0);
  EXPECT_TRUE(std::is_sorted(film.elastic.begin(), film.elastic.end()));
}

TEST(StretchPulse, SlackensForOneFrameAndIsTautAgain) {
  const Film film("gast-2015/stretch-pulse", {});
  EXPECT_EQ(film.share_converged(), 1);
  EXPECT_NEAR(film.distance_of_faces(), 3, 1e-9);
  EXPECT_EQ(film.inverted(), 0);
  // The faces come closer in frame 49 and are back in frame 50.
  EXPECT_LT(film.elastic[48], 0.75 * film.elastic[47]);
  EXPECT_GT(film.elastic[49], 0.95 * film.elastic[47]);
  EXPECT_NEAR(film.elastic.back(), film.elastic[47], 0.05 * film.elastic[47]);
}

TEST(Demo, UnwindsAfterItIsLetGo) {
  const Film film("demo", {.cells = "16, 4, 4"});
  EXPECT_EQ(film.share_converged(), 1);
  const auto most = std::max_element(film.elastic.begin(), film.elastic.end());
  EXPECT_LT(most - film.elastic.begin(), 31) << "it is released at 1.25 s, which is frame 30";
  EXPECT_LT(film.elastic.back(), 0.1 * *most);
  EXPECT_EQ(film.inverted(), 0);
}

TEST(Stretch, PlainNewtonFailsInTheFirstFrameAtFullSizeUnlessItIsCutInThree) {
  const auto converged = [](const std::string& method, int steps_per_frame) {
    return Film("gast-2015/stretch", {"17, 18, 17", method, steps_per_frame, 1}).share_converged();
  };
  EXPECT_EQ(converged("newton-plain", 1), 0);
  EXPECT_EQ(converged("newton-plain", 3), 1);
  EXPECT_EQ(converged("newton-cg", 1), 1);
}

}  // namespace
}  // namespace pliant::scenes_test
