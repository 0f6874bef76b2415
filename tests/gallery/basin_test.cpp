// Gast and Schroeder 2014, figure 2, in small.
#include "pliant/study/basin.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"

namespace pliant::basin_test {
namespace {

BasinQuestion question(std::vector<double> steps, std::vector<std::string> methods, int pixels = 12) {
  return {.scene = format("{}/scenes/gast-2015/basin.toml", PLIANT_SOURCE_DIR),
          .across = {"body.0.start.move.0.to.0", 0, 1},
          .up = {"body.0.start.move.0.to.1", 0, 1},
          .steps = std::move(steps),
          .methods = std::move(methods),
          .pixels = pixels};
}

double share(const BasinMap& map) {
  return static_cast<double>(map.converged()) / static_cast<double>(map.pixels.size());
}

TEST(Basin, OptimisationConvergesFromEveryStartAtEveryStep) {
  for (const BasinMap& map :
       basin_maps(question({1 / 4080.0, 1 / 960.0, 1 / 480.0, 1 / 240.0, 1 / 24.0, 1}, {"newton-cg"}))) {
    EXPECT_EQ(share(map), 1) << "step " << map.step;
    EXPECT_LT(map.most_iterations(), 150) << "step " << map.step;
  }
}

TEST(Basin, PlainNewtonConvergesFromFewerStartsTheLongerTheStep) {
  const std::vector<BasinMap> maps =
      basin_maps(question({1 / 4080.0, 1 / 960.0, 1 / 240.0}, {"newton-plain"}, 8));
  EXPECT_EQ(share(maps[0]), 1);
  EXPECT_LT(share(maps[1]), share(maps[0]));
  EXPECT_LT(share(maps[2]), share(maps[1]));
  EXPECT_GT(share(maps[2]), 0);
}

TEST(Basin, IsTheSameForAnyNumberOfThreads) {
  const auto maps = [](int threads) {
    set_threads(threads);
    std::vector<int> iterations;
    for (const BasinMap& map : basin_maps(question({1 / 960.0, 1}, {"newton-cg"}, 5)))
      for (const BasinPixel& pixel : map.pixels) iterations.push_back(pixel.iterations);
    return iterations;
  };
  EXPECT_EQ(maps(1), maps(3));
  set_threads(0);
}

TEST(Basin, RestShapeIsThreeFifthsAcrossAndHalfWayUp) {
  BasinQuestion rest = question({1}, {"newton-cg"}, 1);
  rest.across = {"body.0.start.move.0.to.0", 0.6, 0.6};
  rest.up = {"body.0.start.move.0.to.1", 0.5, 0.5};
  EXPECT_EQ(basin_maps(rest)[0].pixels[0].iterations, 1) << "one is always taken";
  const Simulation simulation = build(basin_scene(rest, 0, 0));
  EXPECT_NEAR(simulation.state.x[27], simulation.model->bodies[0].rest.vertices[9].x(), 1e-15);
  EXPECT_NEAR(simulation.state.x[28], simulation.model->bodies[0].rest.vertices[9].y(), 1e-15);
}

}  // namespace
}  // namespace pliant::basin_test
