#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>

#include "errors.hpp"
#include "fake_simulation.hpp"
#include "pliant/base/error.hpp"

namespace pliant::full_disk_test {
namespace {

/// Runs in a child process that can write no file longer than `bytes`, as on a full disk. Whether it ended in
/// an IoError.
bool run_on_full_disk(const std::filesystem::path& folder, rlim_t bytes) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    Simulation simulation = fake_simulation(12);
    int code = 0;
    try {
      run(simulation, {.folder = folder});
    } catch (const IoError&) {
      code = 4;
    } catch (...) {
      code = 1;
    }
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 4;
}

/// steps.csv is the one file here that outgrows all others.
constexpr rlim_t kRoomForSomeSteps = 5000;

TEST(FullDisk, EndsInAnIoError) {
  TemporaryFolder folder;
  EXPECT_TRUE(run_on_full_disk(folder / "out", kRoomForSomeSteps));
}

TEST(FullDisk, LeavesWholeRowsOnly) {
  TemporaryFolder folder;
  ASSERT_TRUE(run_on_full_disk(folder / "out", kRoomForSomeSteps));
  EXPECT_EQ(read_file(folder / "out/steps.csv").back(), '\n');
}

TEST(FullDisk, LeavesARunThatCanBeResumed) {
  TemporaryFolder folder;
  run_fake(folder / "whole", 12);
  ASSERT_TRUE(run_on_full_disk(folder / "out", kRoomForSomeSteps));
  ASSERT_TRUE(std::filesystem::exists(folder / "out/frames/000002.npy"));
  Simulation simulation = fake_simulation(12);
  EXPECT_EQ(run(simulation, {.folder = folder / "out", .resume = true}).exit_code(), 0);
  EXPECT_EQ(lasting_files(folder / "out"), lasting_files(folder / "whole"));
}

TEST(FullDisk, LeavesNoTemporaryFile) {
  TemporaryFolder folder;
  ASSERT_TRUE(run_on_full_disk(folder / "out", 200));  // too little even for the summary
  EXPECT_TRUE(std::filesystem::is_empty(folder / "out"));
}

TEST(FullDisk, AFolderBelowAFileIsAnIoError) {
  TemporaryFolder folder;
  write_file_atomically(folder / "file", "");
  Simulation simulation = fake_simulation();
  EXPECT_ERROR(IoError, "cannot create folder", run(simulation, {.folder = folder / "file/out"}));
}

}  // namespace
}  // namespace pliant::full_disk_test
