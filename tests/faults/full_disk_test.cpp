// A disk that fills up: the program says so and what to do, and the run goes on once there is room.
#include "lasting_files.hpp"
#include "program.hpp"

namespace pliant::full_disk_test {
namespace {

const std::string kScene = R"(name = "Too large"
duration = 0.5
frame_rate = 24
[[body]]
name = "a"
shape = { cells = [2, 2, 2] }
start = { randomise = 1 }
)";

class FullDisk : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("scene.toml", kScene);
    ASSERT_EQ(run("run scene.toml -o whole --quiet").exit_code, 0);
  }

  /// Runs on a file system of its own with so many free kB, goes on after making room, and copies the result
  /// to `out`. Needs what not every machine permits: to mount in a namespace.
  Ending run_on_small_file_system(int free) const {
    const std::string ballast = std::to_string(512 - free);
    return shell(
        "mkdir -p disk && unshare --map-root-user --mount sh -c '"
        "mount -t tmpfs -o size=512k tmpfs disk && head -c " +
        ballast +
        "k /dev/zero > disk/ballast || exit 99; "
        "" PLIANT_PROGRAM
        " run scene.toml -o disk/out --quiet; code=$?; "
        "rm disk/ballast; " PLIANT_PROGRAM
        " run scene.toml -o disk/out --resume --quiet || exit 98; "
        "cp -r disk/out out; exit $code'");
  }

  /// The same where no file may grow beyond so many kB.
  Ending run_with_short_files(int largest) const {
    const Ending ending = shell("ulimit -f " + std::to_string(2 * largest) +
                                " && " PLIANT_PROGRAM " run scene.toml -o out --quiet");
    EXPECT_EQ(run("run scene.toml -o out --resume --quiet").exit_code, 0);
    return ending;
  }

  void expect_told_and_mended(const Ending& ending) {
    EXPECT_EQ(ending.exit_code, 4) << ending.said;
    EXPECT_TRUE(contains(ending.said, "cannot write")) << ending.said;
    EXPECT_TRUE(contains(ending.said, "make room")) << ending.said;
    EXPECT_TRUE(contains(ending.said, "--resume")) << ending.said;
    EXPECT_EQ(lasting_files(folder_ / "out"), lasting_files(folder_ / "whole"));
    std::filesystem::remove_all(folder_ / "out");
  }
};

/// The sizes fill up with the summary, the bodies, a frame, the table of steps or the checkpoint.
TEST_F(FullDisk, IsToldAndTheRunGoesOnAfterMakingRoom) {
  const bool may_mount =
      shell("mkdir -p disk && unshare --map-root-user --mount mount -t tmpfs tmpfs disk").exit_code == 0;
  if (!may_mount) {
    std::printf("No file system can be mounted here; a limit on the size of files stands in.\n");
    expect_told_and_mended(run_with_short_files(3));
    return;
  }
  for (const int free : {0, 4, 8, 12, 20, 28, 36, 48, 60}) {
    SCOPED_TRACE(std::to_string(free) + " kB free");
    expect_told_and_mended(run_on_small_file_system(free));
  }
}

TEST_F(FullDisk, LooksTheSameWhereFilesMayNotGrow) {
  for (const int largest : {1, 3, 4}) {
    SCOPED_TRACE(std::to_string(largest) + " kB a file");
    expect_told_and_mended(run_with_short_files(largest));
  }
}

}  // namespace
}  // namespace pliant::full_disk_test
