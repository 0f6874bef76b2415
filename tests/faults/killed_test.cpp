// Killed at any moment and resumed, a run ends with the files of an undisturbed one.
#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>

#include <chrono>
#include <csignal>

#include "lasting_files.hpp"
#include "pliant/base/random.hpp"
#include "pliant/base/text.hpp"
#include "program.hpp"

namespace pliant::killed_test {
namespace {

namespace fs = std::filesystem;

/// So small that writing takes as long as computing.
const std::string kScene = R"(name = "To be killed"
duration = 1.25
frame_rate = 24
[time]
steps_per_frame = 2
[[body]]
name = "a"
shape = { cells = [3, 2, 2] }
start = { randomise = 1 }
[[body]]
name = "b"
shape = { cells = [1, 1, 1] }
material = { model = "neo-hookean" }
start = { spin = [0, 3, 0] }
)";

class Killed : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("scene.toml", kScene);
    const auto start = std::chrono::steady_clock::now();
    ASSERT_EQ(run("run scene.toml -o whole --quiet").exit_code, 0);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    expected_ = lasting_files(folder_ / "whole");
    ASSERT_TRUE(expected_.contains("frames/000030.npy"));
  }

  /// Starts a run that goes on with what is in the folder.
  pid_t start(const fs::path& out) const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    const std::string scene = folder_ / "scene.toml";
    ::execl(PLIANT_PROGRAM, PLIANT_PROGRAM, "run", scene.c_str(), "-o", out.c_str(), "--quiet", "--resume",
            static_cast<char*>(nullptr));
    ::_exit(127);
  }

  static bool is_running(pid_t child) {
    siginfo_t ended{};
    ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
    return ended.si_pid == 0;
  }

  /// Whether it was still running.
  static bool kill(pid_t child) {
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status);
  }

  /// Kills the run some time after a frame is there; times alone would depend on what else is running.
  bool run_and_kill_after(const fs::path& out, int frame, double seconds) const {
    const pid_t child = start(out);
    const fs::path file = out / "frames" / format("{:06}.npy", frame);
    while (!fs::exists(file) && is_running(child)) ::usleep(200);
    ::usleep(static_cast<useconds_t>(1e6 * seconds));
    return kill(child);
  }

  /// Kills the run as soon as a file of the given name is begun in the folder, which must exist.
  void run_and_kill_at(const fs::path& out, const fs::path& watched, const std::string& name) const {
    const int watch = ::inotify_init1(IN_CLOEXEC);
    ::inotify_add_watch(watch, watched.c_str(), IN_CREATE);
    const pid_t child = start(out);
    alignas(inotify_event) char buffer[4096];
    for (bool seen = false; !seen;) {
      pollfd ready{watch, POLLIN, 0};
      constexpr int kPatience = 60000;  // ms
      ASSERT_EQ(::poll(&ready, 1, kPatience), 1) << name << " is not written";
      const ssize_t length = ::read(watch, buffer, sizeof buffer);
      ASSERT_GT(length, 0);
      for (ssize_t at = 0; at < length;) {
        const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
        seen |= std::string(event->name) == name;
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      }
    }
    kill(child);
    ::close(watch);
  }

  void expect_whole_after_resuming(const std::string& out) const {
    EXPECT_EQ(run("run scene.toml -o " + out + " --resume --quiet").exit_code, 0);
    const auto files = lasting_files(folder_ / out);
    for (const auto& [name, contents] : files)
      EXPECT_TRUE(expected_.contains(name) && expected_.at(name) == contents) << name << " differs";
    EXPECT_EQ(files.size(), expected_.size());
  }

  double seconds_ = 0;  ///< of an undisturbed run
  std::map<std::string, std::string> expected_;
};

TEST_F(Killed, AtTenRandomMomentsItEndsWithTheFilesOfAnUndisturbedRun) {
  Random random(11);
  int killed = 0;
  for (int i = 0; i < 10; ++i) {
    const std::string out = "out-" + std::to_string(i);
    const double moment = 3 * random.uniform() * seconds_ / 30;
    killed += run_and_kill_after(folder_ / out, 3 * i, moment);
    if (i % 2 == 1) run_and_kill_after(folder_ / out, 3 * i + 1, random.uniform() * moment);
    SCOPED_TRACE("killed in tenth " + std::to_string(i) + " of the run");
    expect_whole_after_resuming(out);
  }
  EXPECT_GE(killed, 5);
}

TEST_F(Killed, WhileItWritesItEndsWithTheFilesOfAnUndisturbedRun) {
  ASSERT_EQ(run("run scene.toml -o out --frames 2 --quiet").exit_code, 0);
  const fs::path out = folder_ / "out";
  run_and_kill_at(out, out / "frames", "000004.npy.tmp");
  run_and_kill_at(out, out, "checkpoint.bin.tmp");
  run_and_kill_at(out, out / "frames", "000009.npy.tmp");
  run_and_kill_at(out, out, "summary.json.tmp");
  expect_whole_after_resuming("out");
}

}  // namespace
}  // namespace pliant::killed_test
