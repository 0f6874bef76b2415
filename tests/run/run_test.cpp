#include "pliant/run/run.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

#include "errors.hpp"
#include "fake_simulation.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/json.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/mesh_file/npy.hpp"
#include "pliant/potential/gravity.hpp"

namespace pliant::run_test {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t count_lines(const fs::path& file) {
  const std::string text = read_file(file);
  return std::count(text.begin(), text.end(), '\n');
}

bool contains(const fs::path& file, const std::string& part) {
  return read_file(file).find(part) != std::string::npos;
}

RunResult run_with_failures(const fs::path& folder, int failures, bool stop) {
  Simulation simulation = fake_simulation(20);
  simulation.stop_on_failure = stop;
  for (int i = 0; i < failures; ++i) fake_scheme(simulation).failures[3 + i] = Status::stalled;
  return run(simulation, {.folder = folder});
}

TEST(Run, WritesAFrameMoreThanItComputes) {
  TemporaryFolder folder;
  run_fake(folder / "out", 6);
  const auto frames = fs::directory_iterator(folder / "out/frames");
  EXPECT_EQ(std::distance(begin(frames), end(frames)), 7);
  EXPECT_TRUE(fs::exists(folder / "out/frames/000006.npy"));
}

TEST(Run, FrameZeroIsTheStart) {
  TemporaryFolder folder;
  run_fake(folder / "out");
  const NpyArray frame = read_npy(folder / "out/frames/000000.npy");
  const Vector start = fake_simulation().state.x;
  ASSERT_EQ(frame.rows, 8);
  ASSERT_EQ(frame.columns, 3);
  for (Index i = 0; i < start.size(); ++i) EXPECT_EQ(frame.values[i], static_cast<float>(start[i]));
}

TEST(Run, WritesARowAStepUnderAHeader) {
  TemporaryFolder folder;
  run_fake(folder / "out", 6);
  EXPECT_EQ(count_lines(folder / "out/steps.csv"), 1 + 6 * 2);
}

/// With a term whose energy has a name of its own.
RunResult run_loaded(const fs::path& folder, int frames) {
  Simulation simulation = fake_simulation(frames);
  simulation.model->terms.push_back(
      {"", "load", std::make_unique<Gravity>(simulation.model->mass, Vec3(0, 0, 2))});
  fake_scheme(simulation).load = 0.5;
  return run(simulation, {.folder = folder, .resume = fs::exists(folder)});
}

TEST(Run, AnEnergyWithANameOfItsOwnHasAColumnAndStandsInTheSummary) {
  TemporaryFolder folder;
  run_loaded(folder / "out", 6);
  run_loaded(folder / "resumed", 2);
  const RunResult resumed = run_loaded(folder / "resumed", 6);
  EXPECT_TRUE(contains(folder / "out/steps.csv", ",contact,load,total,"));
  EXPECT_TRUE(contains(folder / "resumed/steps.csv", ",contact,load,total,"));
  EXPECT_EQ(resumed.totals.energies.of("load"), 6);
  for (const char* run : {"out", "resumed"}) {
    const Json summary = Json::parse(read_file(folder / run / "summary.json"));
    EXPECT_NE(summary["start"]["load"].get<double>(), 0) << run;
    EXPECT_EQ(summary["final"]["load"].get<double>(), 6) << run;
    double total = 0;
    for (const char* name : {"kinetic", "elastic", "gravitational", "attachment", "contact", "load"})
      total += summary["final"][name].get<double>();
    EXPECT_DOUBLE_EQ(summary["final"]["total"].get<double>(), total) << run;
  }
  // What a checkpoint knows of it.
  const RunResult again = run_loaded(folder / "resumed", 6);
  EXPECT_EQ(again.totals.energies.of("load"), 6);
}

TEST(Run, EveryRowHasAsManyFieldsAsTheHeader) {
  TemporaryFolder folder;
  run_fake(folder / "out", 2);
  std::ifstream file(folder / "out/steps.csv");
  std::string header;
  std::getline(file, header);
  for (std::string line; std::getline(file, line);)
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), std::count(header.begin(), header.end(), ','))
        << line;
}

TEST(Run, TimesDoNotDrift) {
  TemporaryFolder folder;
  Simulation simulation = fake_simulation(24, 10);
  run(simulation, {.folder = folder / "out"});
  EXPECT_EQ(simulation.state.time, 1.0);
}

/// Holds the run before some of its steps.
class Holder : public RunObserver {
 public:
  double seconds = 0;  ///< that it did so

  void step_begins() override {
    if (++steps_ > 3) return;
    const ScopedTimer held(seconds);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }

 private:
  int steps_ = 0;
};

TEST(Run, TimeInWhichItIsHeldDoesNotCount) {
  TemporaryFolder folder;
  Holder holder;
  RunObserver* observers[] = {&holder};
  Simulation simulation = fake_simulation(2);
  const Timer all;
  const RunResult result = run(simulation, {.folder = folder / "out"}, observers);
  const double most = all.seconds() - holder.seconds;
  EXPECT_LE(result.totals.seconds.total, most);
  const Json summary = parse_json(read_file(folder / "out/summary.json"));
  EXPECT_LE(summary.at("seconds").at("total").get<double>(), most);
}

TEST(Run, WritesSceneAndBodies) {
  TemporaryFolder folder;
  run_fake(folder / "out", 1);
  EXPECT_EQ(read_file(folder / "out/scene.toml"), fake_simulation().scene_text);
  for (const char* file : {"bodies/one.vtu", "bodies/one.obj", "bodies/two.vtu", "bodies/two.obj"})
    EXPECT_TRUE(fs::exists(folder / "out" / file)) << file;
}

TEST(Run, TakesTheNumberOfFramesFromTheOptionsFirst) {
  TemporaryFolder folder;
  Simulation simulation = fake_simulation(6);
  EXPECT_EQ(run(simulation, {.folder = folder / "out", .frames = 2}).totals.frames, 2);
}

TEST(Run, WithoutFramesWritesTheStart) {
  TemporaryFolder folder;
  EXPECT_EQ(run_fake(folder / "out", 0).exit_code(), 0);
  EXPECT_TRUE(fs::exists(folder / "out/frames/000000.npy"));
  EXPECT_TRUE(contains(folder / "out/summary.json", "\"status\": \"completed\""));
}

TEST(Run, CountsWhatTheStepsDid) {
  TemporaryFolder folder;
  const RunResult result = run_fake(folder / "out", 6);
  EXPECT_EQ(result.totals.steps, 12);
  EXPECT_EQ(result.totals.steps_converged, 12);
  EXPECT_EQ(result.totals.linear_solves, 24);
  EXPECT_EQ(result.totals.cg_iterations, 12 * 10 + 12 * 13 / 2);
  EXPECT_GT(result.totals.peak_memory, 0);
}

TEST(Run, SummarySaysWhatRanAndOnWhat) {
  TemporaryFolder folder;
  run_fake(folder / "out");
  const std::string summary = read_file(folder / "out/summary.json");
  for (const char* key : {"scene",
                          "version",
                          "flags",
                          "cpu",
                          "blas",
                          "seed",
                          "threads",
                          "dofs",
                          "elements",
                          "frames",
                          "steps",
                          "steps_converged",
                          "iterations",
                          "linear_solves",
                          "cg_iterations",
                          "seconds",
                          "total",
                          "assembly",
                          "linear_solve",
                          "line_search",
                          "contact",
                          "output",
                          "peak_memory_bytes",
                          "final",
                          "kinetic",
                          "elastic",
                          "gravitational",
                          "attachment",
                          "linear_momentum",
                          "angular_momentum",
                          "inverted_elements",
                          "scheme",
                          "solver",
                          "tolerance",
                          "status",
                          "bodies",
                          "not_converged"})
    EXPECT_NE(summary.find("\"" + std::string(key) + "\": "), std::string::npos) << key;
  EXPECT_NE(summary.find("\"dofs\": 24"), std::string::npos);
  EXPECT_NE(summary.find("\"elements\": 2"), std::string::npos);
}

TEST(Run, WithoutAStepTheFinalEnergiesAreThoseOfTheStart) {
  TemporaryFolder folder;
  Simulation simulation = fake_simulation(0);
  simulation.state.v.setConstant(2);
  const RunResult result = run(simulation, {.folder = folder / "out"});
  EXPECT_DOUBLE_EQ(result.totals.energies.kinetic, 0.5 * 12 * simulation.model->mass.sum());
}

TEST(Run, SummarySaysRunningUntilTheEnd) {
  TemporaryFolder folder;
  Simulation simulation = fake_simulation();
  bool running = true;
  fake_scheme(simulation).on_step = [&](int) {
    running &= contains(folder / "out/summary.json", "\"status\": \"running\"");
  };
  run(simulation, {.folder = folder / "out"});
  EXPECT_TRUE(running);
  EXPECT_TRUE(contains(folder / "out/summary.json", "\"status\": \"completed\""));
}

TEST(Run, AStepThatDoesNotConvergeMakesTheExitCodeThree) {
  TemporaryFolder folder;
  const RunResult result = run_with_failures(folder / "out", 1, false);
  EXPECT_EQ(result.status, RunStatus::completed);
  EXPECT_EQ(result.exit_code(), 3);
  EXPECT_EQ(result.totals.frames, 20);
}

TEST(Run, SummaryNamesThePlaceOfAFailure) {
  TemporaryFolder folder;
  run_with_failures(folder / "out", 1, false);
  const std::string summary = read_file(folder / "out/summary.json");
  for (const char* part : {"\"step\": 3", "\"status\": \"stalled\"", "\"body\": \"two\"", "\"element\": 1",
                           "\"force\": 12.5", "step 3 (frame 2, t = 0.0625 s) did not converge"})
    EXPECT_NE(summary.find(part), std::string::npos) << part;
}

TEST(Run, ListsTheFirstTwentyFailures) {
  TemporaryFolder folder;
  const RunResult result = run_with_failures(folder / "out", 25, false);
  EXPECT_EQ(result.totals.failed_steps(), 25);
  EXPECT_EQ(result.totals.failures.size(), 20U);
}

TEST(Run, WarnsOfFiveFailuresAndCountsTheRest) {
  TemporaryFolder folder;
  ::testing::internal::CaptureStderr();
  run_with_failures(folder / "out", 12, false);
  const std::string output = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(output.find("step 7 "), std::string::npos) << output;
  EXPECT_EQ(output.find("step 8 "), std::string::npos) << output;
  EXPECT_NE(output.find("7 more steps did not converge"), std::string::npos) << output;
}

TEST(Run, StopsAtAFailureWhereAsked) {
  TemporaryFolder folder;
  const RunResult result = run_with_failures(folder / "out", 1, true);
  EXPECT_EQ(result.status, RunStatus::stopped);
  EXPECT_EQ(result.exit_code(), 3);
  EXPECT_EQ(result.totals.frames, 1);
  EXPECT_TRUE(contains(folder / "out/summary.json", "\"status\": \"stopped\""));
}

TEST(Run, RefusesABodyNameThatLeavesTheFolder) {
  TemporaryFolder folder;
  Simulation simulation = fake_simulation();
  simulation.model->bodies[0].name = "../../escaped";
  EXPECT_ERROR(InputError, "a name becomes a file name", run(simulation, {.folder = folder / "out"}));
}

TEST(Run, TellsObserversOfEveryStepAndFrame) {
  struct Counter : RunObserver {
    int steps = 0, frames = 0, begins = 0, ends = 0;
    void run_begins(const RunTotals&, int planned) override { begins += planned; }
    void step_done(const RunTotals&, const StepReport&) override { ++steps; }
    void frame_done(const RunTotals&) override { ++frames; }
    void run_ends() override { ++ends; }
  } counter;
  TemporaryFolder folder;
  Simulation simulation = fake_simulation(6);
  RunObserver* observers[] = {&counter};
  run(simulation, {.folder = folder / "out"}, observers);
  EXPECT_EQ(counter.steps, 12);
  EXPECT_EQ(counter.frames, 6);
  EXPECT_EQ(counter.begins, 6);
  EXPECT_EQ(counter.ends, 1);
}

}  // namespace
}  // namespace pliant::run_test
