#include "pliant/run/run_folder.hpp"

#include "fake_simulation.hpp"
#include "pliant/base/error.hpp"

namespace pliant {
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
  EXPECT_THROW(RunFolder(folder / "nowhere"), InputError);
  fs::create_directory(folder / "empty");
  EXPECT_THROW(RunFolder(folder / "empty"), InputError);
}

TEST(RunFolder, RefusesASummaryThatIsNone) {
  TemporaryFolder folder;
  run_fake(folder / "out", 1);
  for (const char* text :
       {"", "[]", "{\"scene\": 3}", "{\"scene\": \"a\", \"frame_rate\": 24, \"bodies\": 1}",
        "{\"scene\": \"a\", \"frame_rate\": 24, \"bodies\": [{\"name\": \"one\"}]}"}) {
    write_file_atomically(folder / "out/summary.json", text);
    EXPECT_THROW(RunFolder(folder / "out"), InputError) << text;
  }
}

TEST(RunFolder, RefusesABodyThatDoesNotFitTheSummary) {
  TemporaryFolder folder;
  run_fake(folder / "out", 1);
  std::string summary = read_file(folder / "out/summary.json");
  summary.replace(summary.find("\"vertices\": 4"), 13, "\"vertices\": 5");
  write_file_atomically(folder / "out/summary.json", summary);
  EXPECT_THROW(RunFolder(folder / "out"), InputError);
}

TEST(RunFolder, RefusesAFrameOfAnotherRun) {
  TemporaryFolder folder;
  run_fake(folder / "out", 1);
  const RunFolder run(folder / "out");
  write_file_atomically(folder / "out/frames/000001.npy", read_file(folder / "out/bodies/one.obj"));
  EXPECT_THROW(run.frame(1), InputError);
  EXPECT_THROW(run.frame(7), InputError);
}

}  // namespace
}  // namespace pliant
