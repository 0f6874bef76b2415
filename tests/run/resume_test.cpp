#include <sys/wait.h>

#include <csignal>
#include <random>
#include <stdexcept>

#include "errors.hpp"
#include "fake_simulation.hpp"
#include "pliant/base/error.hpp"

namespace pliant::resume_test {
namespace {

namespace fs = std::filesystem;

struct Broken : std::runtime_error {
  Broken() : std::runtime_error("broken off") {}
};

/// Runs into the folder until the end of the given step, then breaks off.
void run_until(const fs::path& folder, int step, int frames = 6) {
  Simulation simulation = fake_simulation(frames);
  fake_scheme(simulation).on_step = [&](int at) {
    if (at == step) throw Broken();
  };
  EXPECT_ERROR(Broken, "broken off", run(simulation, {.folder = folder, .resume = true}));
}

RunResult resume(const fs::path& folder, int frames = 6) {
  Simulation simulation = fake_simulation(frames);
  return run(simulation, {.folder = folder, .resume = true});
}

TEST(Resume, FromAnyStepGivesTheFilesOfAnUndisturbedRun) {
  TemporaryFolder folder;
  run_fake(folder / "whole");
  const auto expected = lasting_files(folder / "whole");
  for (int step = 1; step <= 12; ++step) {
    const fs::path out = folder / ("broken-" + std::to_string(step));
    run_until(out, step);
    resume(out);
    EXPECT_EQ(lasting_files(out), expected) << "broken off at step " << step;
  }
}

TEST(Resume, ManyTimesGivesTheFilesOfAnUndisturbedRun) {
  TemporaryFolder folder;
  run_fake(folder / "whole");
  for (int step = 1; step <= 12; step += 3) run_until(folder / "out", step);
  resume(folder / "out");
  EXPECT_EQ(lasting_files(folder / "out"), lasting_files(folder / "whole"));
}

TEST(Resume, AfterBeingKilledAtAnyMomentGivesTheFilesOfAnUndisturbedRun) {
  constexpr int kFrames = 60;
  TemporaryFolder folder;
  run_fake(folder / "whole", kFrames);
  std::mt19937 random(3);
  for (int i = 0; i < 25; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      resume(folder / "out", kFrames);
      ::_exit(0);
    }
    ::usleep(std::uniform_int_distribution<useconds_t>(0, 12000)(random));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
  }
  resume(folder / "out", kFrames);
  auto files = lasting_files(folder / "out");
  std::erase_if(files, [](const auto& file) { return file.first.ends_with(".tmp"); });
  EXPECT_EQ(files, lasting_files(folder / "whole"));
}

TEST(Resume, CountsTheWholeRun) {
  TemporaryFolder folder;
  run_until(folder / "out", 7);
  const RunResult result = resume(folder / "out");
  EXPECT_EQ(result.totals.steps, 12);
  EXPECT_EQ(result.totals.frames, 6);
  EXPECT_EQ(result.totals.cg_iterations, 12 * 10 + 12 * 13 / 2);
}

TEST(Resume, RemembersAStepThatDidNotConverge) {
  TemporaryFolder folder;
  Simulation simulation = fake_simulation(2);
  fake_scheme(simulation).failures[1] = Status::iteration_limit;
  run(simulation, {.folder = folder / "out"});
  EXPECT_EQ(resume(folder / "out", 4).exit_code(), 3);
}

TEST(Resume, WithMoreFramesContinuesAFinishedRun) {
  TemporaryFolder folder;
  run_fake(folder / "whole", 9);
  run_fake(folder / "out", 4);
  EXPECT_EQ(resume(folder / "out", 9).totals.frames, 9);
  EXPECT_EQ(lasting_files(folder / "out"), lasting_files(folder / "whole"));
}

TEST(Resume, OfAFinishedRunComputesNothing) {
  TemporaryFolder folder;
  run_fake(folder / "out");
  const auto before = lasting_files(folder / "out");
  Simulation simulation = fake_simulation();
  fake_scheme(simulation).on_step = [](int) { throw Broken(); };
  EXPECT_EQ(run(simulation, {.folder = folder / "out", .resume = true}).exit_code(), 0);
  EXPECT_EQ(lasting_files(folder / "out"), before);
}

TEST(Resume, WithoutARunStartsAtTheBeginning) {
  TemporaryFolder folder;
  EXPECT_EQ(resume(folder / "nowhere").totals.frames, 6);
  fs::create_directory(folder / "empty");
  EXPECT_EQ(resume(folder / "empty").totals.frames, 6);
}

TEST(Resume, OfARunKilledBeforeItsFirstCheckpointStartsAtTheBeginning) {
  TemporaryFolder folder;
  run_fake(folder / "whole");
  run_until(folder / "out", 1);
  fs::remove(folder / "out/checkpoint.bin");
  fs::remove(folder / "out/frames/000000.npy");
  resume(folder / "out");
  EXPECT_EQ(lasting_files(folder / "out"), lasting_files(folder / "whole"));
}

TEST(Resume, DropsRowsThatBelongToNoFrame) {
  TemporaryFolder folder;
  run_fake(folder / "whole");
  run_until(folder / "out", 6);
  AppendedFile(folder / "out/steps.csv", fs::file_size(folder / "out/steps.csv")).append("4,7,half a ro");
  resume(folder / "out");
  EXPECT_EQ(lasting_files(folder / "out"), lasting_files(folder / "whole"));
}

TEST(Resume, RefusesATooShortTableOfSteps) {
  TemporaryFolder folder;
  run_until(folder / "out", 6);
  fs::resize_file(folder / "out/steps.csv", 100);
  EXPECT_ERROR(InputError, "holds 100 bytes where at least", resume(folder / "out"));
}

TEST(Resume, RefusesARunWithAMissingFrame) {
  TemporaryFolder folder;
  run_until(folder / "out", 8);
  fs::remove(folder / "out/frames/000002.npy");
  EXPECT_ERROR(InputError, "is missing or damaged", resume(folder / "out"));
}

TEST(Resume, RefusesADamagedCheckpoint) {
  TemporaryFolder folder;
  run_until(folder / "out", 8);
  fs::resize_file(folder / "out/checkpoint.bin", 100);
  EXPECT_ERROR(InputError, "the file is damaged", resume(folder / "out"));
}

TEST(Resume, RefusesAnotherScene) {
  TemporaryFolder folder;
  run_until(folder / "out", 8);
  Simulation simulation = fake_simulation();
  simulation.scene_text += "steps_per_frame = 3\n";
  EXPECT_ERROR(InputError, "started from another scene",
               run(simulation, {.folder = folder / "out", .resume = true}));
}

TEST(Resume, LeavesARefusedRunAsItIs) {
  TemporaryFolder folder;
  run_until(folder / "out", 8);
  const auto before = lasting_files(folder / "out");
  Simulation simulation = fake_simulation();
  simulation.scene_text += "steps_per_frame = 3\n";
  EXPECT_ERROR(InputError, "started from another scene",
               run(simulation, {.folder = folder / "out", .resume = true}));
  EXPECT_EQ(lasting_files(folder / "out"), before);
}

}  // namespace
}  // namespace pliant::resume_test
