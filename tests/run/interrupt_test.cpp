#include "pliant/run/interrupt.hpp"

#include <sys/wait.h>

#include "fake_simulation.hpp"

namespace pliant::interrupt_test {
namespace {

/// A run of six frames that gets a signal during the given step.
RunResult run_with_signal(const std::filesystem::path& folder, int signal, int step) {
  Simulation simulation = fake_simulation(6);
  fake_scheme(simulation).on_step = [&](int at) {
    if (at == step) std::raise(signal);
  };
  return run(simulation, {.folder = folder});
}

class Interrupt : public ::testing::TestWithParam<int> {};

TEST_P(Interrupt, EndsTheRunAfterTheStepInWork) {
  TemporaryFolder folder;
  const RunResult result = run_with_signal(folder / "out", GetParam(), 5);
  EXPECT_EQ(result.status, RunStatus::interrupted);
  EXPECT_EQ(result.exit_code(), 130);
  EXPECT_EQ(result.totals.steps, 5);
  EXPECT_EQ(result.totals.frames, 2);
}

TEST_P(Interrupt, LeavesARunThatCanBeResumed) {
  TemporaryFolder folder;
  run_fake(folder / "whole");
  run_with_signal(folder / "out", GetParam(), 5);
  Simulation simulation = fake_simulation(6);
  int steps = 0;
  fake_scheme(simulation).on_step = [&](int) { ++steps; };
  EXPECT_EQ(run(simulation, {.folder = folder / "out", .resume = true}).exit_code(), 0);
  EXPECT_EQ(lasting_files(folder / "out"), lasting_files(folder / "whole"));
  EXPECT_EQ(steps, 12 - 5) << "all but those before the signal";
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupt, ::testing::Values(SIGINT, SIGTERM));

TEST(InterruptedRun, IsNotedInTheSummary) {
  TemporaryFolder folder;
  run_with_signal(folder / "out", SIGINT, 5);
  EXPECT_NE(read_file(folder / "out/summary.json").find("\"status\": \"interrupted\""), std::string::npos);
}

TEST(InterruptedRun, InTheLastStepLetsTheRunComplete) {
  TemporaryFolder folder;
  EXPECT_EQ(run_with_signal(folder / "out", SIGINT, 12).status, RunStatus::completed);
}

TEST(InterruptedRun, ASecondSignalEndsTheProgramAtOnce) {
  const pid_t child = ::fork();
  if (child == 0) {
    const InterruptWatch watch;
    std::raise(SIGINT);
    if (!watch.requested()) ::_exit(1);
    std::raise(SIGINT);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
}

TEST(InterruptedRun, HandlersAreGivenBackAfterARun) {
  TemporaryFolder folder;
  run_fake(folder / "out", 1);
  struct sigaction action {};
  ::sigaction(SIGINT, nullptr, &action);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
}

TEST(InterruptedRun, AHostIsAskedInThePlaceOfSignals) {
  TemporaryFolder folder;
  Simulation simulation = fake_simulation(6);
  int asked = 0;
  bool handled = true;
  const auto interrupted = [&] {
    struct sigaction action {};
    ::sigaction(SIGINT, nullptr, &action);
    handled = action.sa_handler != SIG_DFL;
    return ++asked == 4;
  };
  const RunResult result = run(simulation, {.folder = folder / "out", .interrupted = interrupted});
  EXPECT_EQ(result.status, RunStatus::interrupted);
  EXPECT_EQ(result.totals.steps, 3);
  EXPECT_FALSE(handled) << "signals are the host's";
}

}  // namespace
}  // namespace pliant::interrupt_test
