#include "pliant/run/run_folder.hpp"

#include "errors.hpp"
#include "fake_simulation.hpp"
#include "pliant/base/error.hpp"

namespace pliant::run_folder_test {
namespace {

namespace fs = std::filesystem;

TEST(RunFolder, GivesBackTheBodies) {
  TemporaryFolder folder;
  run_fake(folder / "out", 2);
  const RunFolder run(folder / "out");
  EXPECT_EQ(run.name(), "Fake");
  EXPECT_EQ(run.frame_rate(), 24);
  EXPECT_EQ(run.vertex_count(), 8);
  ASSERT_EQ(run.bodies().size(), 2U);
  EXPECT_EQ(run.bodies()[1].name, "two");
  EXPECT_EQ(run.bodies()[1].first_vertex, 4);
  EXPECT_EQ(run.bodies()[1].rest.vertices, fake_simulation().model->bodies[1].rest.vertices);
}

TEST(RunFolder, GivesBackTheColorsThatWereChosen) {
  TemporaryFolder folder;
  Simulation simulation = fake_simulation(1);
  simulation.model->bodies[1].color = Vec3(0.1, 0.5, 1);
  pliant::run(simulation, {.folder = folder / "out"});
  const RunFolder run(folder / "out");
  EXPECT_EQ(run.bodies()[0].color, std::nullopt);
  EXPECT_EQ(run.bodies()[1].color, Vec3(0.1, 0.5, 1));
}

TEST(RunFolder, GivesBackTheLastPositions) {
  TemporaryFolder folder;
  Simulation simulation = fake_simulation(3);
  pliant::run(simulation, {.folder = folder / "out"});
  const RunFolder run(folder / "out");
  ASSERT_EQ(run.frame_count(), 4);
  const std::vector<Vec3> positions = run.frame(3);
  for (int i = 0; i < 8; ++i)
    EXPECT_LT((positions[i] - simulation.state.x.segment<3>(3 * i)).norm(), 1e-6) << i;
}

TEST(RunFolder, CanBeReadWhileTheRunGoesOn) {
  TemporaryFolder folder;
  Simulation simulation = fake_simulation(3);
  int frames_seen = 0;
  fake_scheme(simulation).on_step = [&](int) { frames_seen = RunFolder(folder / "out").frame_count(); };
  pliant::run(simulation, {.folder = folder / "out"});
  EXPECT_EQ(frames_seen, 3);
}

TEST(RunFolder, RefusesAFolderThatIsNone) {
  TemporaryFolder folder;
  EXPECT_ERROR(InputError, "there is no such run folder", RunFolder(folder / "nowhere"));
  fs::create_directory(folder / "empty");
  EXPECT_ERROR(InputError, "summary.json: cannot open", RunFolder(folder / "empty"));
}

TEST(RunFolder, RefusesASummaryThatIsNone) {
  TemporaryFolder folder;
  run_fake(folder / "out", 1);
  for (const char* text :
       {"", "[]", "{\"scene\": 3}", "{\"scene\": \"a\", \"frame_rate\": 24, \"bodies\": 1}",
        "{\"scene\": \"a\", \"frame_rate\": 24, \"bodies\": [{\"name\": \"one\"}]}"}) {
    write_file_atomically(folder / "out/summary.json", text);
    EXPECT_ERROR(InputError, "not the summary of a run", RunFolder(folder / "out")) << text;
  }
}

TEST(RunFolder, RefusesABodyThatDoesNotFitTheSummary) {
  TemporaryFolder folder;
  run_fake(folder / "out", 1);
  std::string summary = read_file(folder / "out/summary.json");
  summary.replace(summary.find("\"vertices\": 4"), 13, "\"vertices\": 5");
  write_file_atomically(folder / "out/summary.json", summary);
  EXPECT_ERROR(InputError, "where summary.json says", RunFolder(folder / "out"));
}

TEST(RunFolder, RefusesAFrameOfAnotherRun) {
  TemporaryFolder folder;
  run_fake(folder / "out", 1);
  const RunFolder run(folder / "out");
  write_file_atomically(folder / "out/frames/000001.npy", read_file(folder / "out/bodies/one.obj"));
  EXPECT_ERROR(InputError, "this is not a .npy file", run.frame(1));
  EXPECT_ERROR(InputError, "000007.npy: cannot open", run.frame(7));
}

TEST(RunFolder, GivesBackTheObstacles) {
  TemporaryFolder folder;
  run_fake(folder / "out", 2);
  const RunFolder run(folder / "out");
  ASSERT_EQ(run.obstacles().size(), 1U);
  const RunObstacle& ball = run.obstacles()[0];
  EXPECT_EQ(ball.name, "ball");
  EXPECT_FALSE(ball.unbounded);
  EXPECT_EQ(ball.surface.vertices, fake_obstacle().surface.vertices);
  EXPECT_EQ(ball.surface.triangles, fake_obstacle().surface.triangles);
  ASSERT_EQ(ball.poses.size(), 3U);
  for (int frame = 0; frame < 3; ++frame) {
    const Pose pose = fake_obstacle().pose(frame / 24.0);
    EXPECT_LT((ball.poses[frame].turn - pose.turn).norm(), 1e-14) << frame;
    EXPECT_EQ(ball.poses[frame].shift, pose.shift) << frame;
  }
}

TEST(RunFolder, NamesContactAndFrictionInTheSummary) {
  TemporaryFolder folder;
  run_fake(folder / "out", 1);
  const std::string summary = read_file(folder / "out/summary.json");
  EXPECT_NE(summary.find("\"contact\": \"constraint\""), std::string::npos) << summary;
  EXPECT_NE(summary.find("\"friction\": 0.25"), std::string::npos) << summary;
}

TEST(RunFolder, WithoutObstaclesHasNeitherTheirTableNorTheirFolder) {
  TemporaryFolder folder;
  Simulation simulation = fake_simulation(1);
  simulation.model->obstacles.clear();
  pliant::run(simulation, {.folder = folder / "out"});
  EXPECT_FALSE(fs::exists(folder / "out/obstacles"));
  EXPECT_FALSE(fs::exists(folder / "out/obstacles.csv"));
  EXPECT_TRUE(RunFolder(folder / "out").obstacles().empty());
}

TEST(RunFolder, OfTheTimeBeforeObstaclesCanBeRead) {
  TemporaryFolder folder;
  run_fake(folder / "out", 1);
  std::string summary = read_file(folder / "out/summary.json");
  summary.replace(summary.find("\"obstacles\""), 11, "\"something\"");
  write_file_atomically(folder / "out/summary.json", summary);
  EXPECT_TRUE(RunFolder(folder / "out").obstacles().empty());
}

TEST(RunFolder, KnowsPosesBeforeTheFrameIsWritten) {
  TemporaryFolder folder;
  Simulation simulation = fake_simulation(3);
  size_t poses_seen = 0;
  fake_scheme(simulation).on_step = [&](int step) {
    if (step == 1) poses_seen = RunFolder(folder / "out").obstacles()[0].poses.size();
  };
  pliant::run(simulation, {.folder = folder / "out"});
  EXPECT_EQ(poses_seen, 4U);
}

TEST(RunFolder, RefusesDamagedPoses) {
  TemporaryFolder folder;
  run_fake(folder / "out", 1);
  const std::string good = read_file(folder / "out/obstacles.csv");
  const size_t second = good.find("\n1,ball") + 1;
  for (const std::string& bad :
       {std::string(), good.substr(1), good.substr(0, second), good.substr(0, second + 12),
        good + "2,other\n", good + "2,ball,1,0,0,0,0,0,nan\n", good + "2,ball,2,0,0,0,0,0,0\n",
        good + "3,ball,1,0,0,0,0,0,0\n", good + "2,ball,1,0,0,0,0,0,0,0\n", good + "\n"}) {
    write_file_atomically(folder / "out/obstacles.csv", bad);
    EXPECT_ERROR(InputError, "the poses of", RunFolder(folder / "out")) << bad;
  }
}

TEST(RunFolder, RefusesAnObstacleWithoutItsSurface) {
  TemporaryFolder folder;
  run_fake(folder / "out", 1);
  fs::remove(folder / "out/obstacles/ball.obj");
  EXPECT_ERROR(InputError, "ball.obj: cannot open", RunFolder(folder / "out"));
}

}  // namespace
}  // namespace pliant::run_folder_test
