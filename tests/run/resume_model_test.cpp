// Runs of models that were put together without a scene file.
#include "errors.hpp"
#include "fake_simulation.hpp"
#include "meshes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/setup/model_builder.hpp"

namespace pliant::resume_model_test {
namespace {

/// A bar that hangs by one end, swings and meets a ball that turns.
Simulation hanging(int frames, double young = 2e4) {
  ModelBuilder builder;
  const BodyId bar = builder.add_body(make_box({.size = {2, 0.5, 0.5}, .cells = {4, 1, 1}}),
                                      {.name = "bar", .material = {.young = young}});
  builder.hold(bar, builder.vertices_in(bar, PlaneRegion{{-1, 0, 0}, {-1, 0, 0}}));
  Obstacle ball = fake_obstacle();
  ball.motion.center = {0, 0, 0};
  ball.shape = moved(make_sphere(0.5), 1, Eigen::Quaterniond::Identity(), {0.5, -1, 0});
  ball.motion.constant_velocity.setZero();
  builder.add_obstacle(ball);
  builder.set_time({.scheme = {.name = "bdf2"}});
  Simulation simulation(builder.build());
  simulation.frames = frames;
  simulation.steps_per_frame = 2;
  return simulation;
}

TEST(ResumedModel, GivesTheFilesOfAnUndisturbedRun) {
  TemporaryFolder folder;
  Simulation whole = hanging(8), first = hanging(3), second = hanging(8);
  EXPECT_EQ(run(whole, {.folder = folder / "whole"}).totals.failed_steps(), 0);
  run(first, {.folder = folder / "halves"});
  EXPECT_EQ(run(second, {.folder = folder / "halves", .resume = true}).totals.frames, 8);
  const auto files = lasting_files(folder / "whole");
  EXPECT_EQ(lasting_files(folder / "halves"), files);
  EXPECT_FALSE(files.contains("scene.toml"));
  EXPECT_NE(files.at("model.toml").find("model = \"fixed-corotated\""), std::string::npos);
  EXPECT_NE(files.at("model.toml").find("steps_per_frame = 2"), std::string::npos);
}

TEST(ResumedModel, MustBeTheSame) {
  TemporaryFolder folder;
  Simulation first = hanging(1), softer = hanging(2, 1e4), slower = hanging(2);
  run(first, {.folder = folder / "out"});
  slower.steps_per_frame = 3;
  for (Simulation* other : {&softer, &slower})
    EXPECT_ERROR(InputError, "the run was started from another scene",
                 run(*other, {.folder = folder / "out", .resume = true}));
}

TEST(ResumedModel, CanBeOverwritten) {
  TemporaryFolder folder;
  Simulation first = hanging(1), second = hanging(1, 1e4);
  run(first, {.folder = folder / "out"});
  EXPECT_EQ(run(second, {.folder = folder / "out", .overwrite = true}).totals.frames, 1);
}

}  // namespace
}  // namespace pliant::resume_model_test
