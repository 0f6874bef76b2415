// `pliant compare` from outside: exit codes, what it writes, and that it goes on after being stopped.
#include "lasting_files.hpp"
#include "program.hpp"

namespace pliant::compare_command_test {

namespace {

namespace fs = std::filesystem;

const std::string kScene = R"(name = "Small bar"
duration = 0.15
frame_rate = 20
[[body]]
shape = { size = [2, 1, 1], cells = [2, 1, 1] }
[[body.script]]
region = { plane = { point = [-1, 0, 0], normal = [-1, 0, 0] } }
)";

const std::string kGrid =
    "compare scene.toml --vary time.scheme=backward-euler,sdirk2 --vary time.steps_per_frame=1,4";

/// With a scene in its folder.
class CompareCommand : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("scene.toml", kScene);
  }

  /// Starts a comparison into `out` that takes seconds, and sends a signal when frames are there.
  Ending stopped_by(const std::string& what, const std::string& more = "") {
    return shell(
        PLIANT_PROGRAM + (" " + slow() + more + " > said.txt 2>&1 & p=$!\n") +
        "while [ ! -e out/members/backward-euler/frames/000002.npy ] && kill -0 $p; do sleep 0.02; done\n" +
        what + "\nwait $p; code=$?; cat said.txt; exit $code");
  }
  static std::string slow() {
#ifdef __SANITIZE_ADDRESS__
    const std::string steps = "60";  // which take so much longer
#else
    const std::string steps = "1500";
#endif
    return "compare scene.toml --vary time.scheme=backward-euler,sdirk2 --set time.steps_per_frame=" + steps +
           " --no-reference --frames 8 -o out";
  }
};

/// The names of what lies in a folder, in order.
std::vector<std::string> listed(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// A number for all that has to come out the same in the members of a comparison, each by its name.
std::map<std::string, size_t> lasting(const fs::path& comparison) {
  std::map<std::string, size_t> sums;
  for (const std::string& member : listed(comparison / "members"))
    for (const auto& [name, contents] : lasting_files(comparison / "members" / member))
      sums[member + "/" + name] = std::hash<std::string>()(contents);
  return sums;
}

}  // namespace

TEST_F(CompareCommand, RunsAGridWithAReferenceAndPutsItInATable) {
  const Ending ending = run(kGrid + " -o out");
  EXPECT_EQ(ending.exit_code, 0) << ending.said;
  EXPECT_EQ(listed(folder_ / "out/members"),
            (std::vector<std::string>{"backward-euler_steps_per_frame=1", "backward-euler_steps_per_frame=4",
                                      "reference", "sdirk2_steps_per_frame=1", "sdirk2_steps_per_frame=4"}));
  EXPECT_TRUE(contains(ending.said, "1 at once")) << ending.said;
  EXPECT_TRUE(fs::exists(folder_ / "out/report.html"));
  const std::string csv = read_file(folder_ / "out/comparison.csv");
  EXPECT_TRUE(csv.starts_with("member,time.scheme,time.steps_per_frame,status,exit_code,seconds,")) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 6) << csv;
  EXPECT_TRUE(contains(csv, "\nreference,sdirk2,40,done,0,")) << csv;
}

TEST_F(CompareCommand, GivesTheSameFramesHoweverManyRunAtOnce) {
  ASSERT_EQ(run(kGrid + " -o one --no-reference --quiet").exit_code, 0);
  const Ending ending = run(kGrid + " -o three --no-reference --jobs 3 --threads 1");
  ASSERT_EQ(ending.exit_code, 0) << ending.said;
  EXPECT_TRUE(contains(ending.said, "3 at once with 1 thread each")) << ending.said;
  EXPECT_EQ(lasting(folder_ / "one"), lasting(folder_ / "three"));
}

TEST_F(CompareCommand, RefusesAWrongValueBeforeAnythingIsWritten) {
  for (const char* vary :
       {"time.sceme=bdf2,sdirk2", "time.scheme=bdf2,sdirk9", "time.scheme", "time.scheme=bdf2,"}) {
    const Ending ending = run(std::string("compare scene.toml -o out --vary ") + vary);
    EXPECT_EQ(ending.exit_code, 2) << ending.said;
    EXPECT_TRUE(contains(ending.said, std::string("error: --vary time.sc"))) << ending.said;
    EXPECT_FALSE(fs::exists(folder_ / "out")) << vary;
  }
}

TEST_F(CompareCommand, MakesARowOfAMemberWithFailedSteps) {
  const Ending ending =
      run("compare scene.toml -o out --vary solver.max_iterations=1,100 --set body.0.start.stretch=[3,1,1] "
          "--reference time.steps_per_frame=5");
  EXPECT_EQ(ending.exit_code, 3) << ending.said;
  EXPECT_TRUE(contains(ending.said, "max_iterations=1: step 1 ")) << ending.said;
  const std::string csv = read_file(folder_ / "out/comparison.csv");
  EXPECT_TRUE(contains(csv, "\nmax_iterations=1,1,")) << csv;
  EXPECT_TRUE(contains(csv, "\nmax_iterations=100,100,done,0,")) << csv;
}

TEST_F(CompareCommand, MakesARowOfAMemberThatBreaks) {
  ASSERT_EQ(run(kGrid + " -o out").exit_code, 0);
  fs::remove_all(folder_ / "out/members/sdirk2_steps_per_frame=1");
  write("out/members/sdirk2_steps_per_frame=1", "");
  const Ending ending = run(kGrid + " -o out");
  EXPECT_EQ(ending.exit_code, 3) << ending.said;
  EXPECT_TRUE(contains(ending.said, "backward-euler_steps_per_frame=1: done before, kept")) << ending.said;
  const std::string csv = read_file(folder_ / "out/comparison.csv");
  EXPECT_TRUE(contains(csv, "\nsdirk2_steps_per_frame=1,sdirk2,1,exit code 2,2,")) << csv;
  EXPECT_TRUE(contains(csv, "is a file; a run needs a folder")) << csv;
  EXPECT_TRUE(contains(csv, "\nsdirk2_steps_per_frame=4,sdirk2,4,done,0,")) << csv;
}

TEST_F(CompareCommand, MakesARowOfAMemberThatIsKilled) {
  const Ending ending = stopped_by("kill -9 $(cat /proc/$p/task/$p/children)");
  EXPECT_EQ(ending.exit_code, 3) << ending.said;
  EXPECT_TRUE(contains(ending.said, "killed (signal 9)")) << ending.said;
  EXPECT_TRUE(contains(read_file(folder_ / "out/comparison.csv"), "\nsdirk2,sdirk2,done,0,")) << ending.said;
}

TEST_F(CompareCommand, GoesOnWhereItWasInterrupted) {
  const Ending stopped = stopped_by("kill -INT $p");
  EXPECT_EQ(stopped.exit_code, 130) << stopped.said;
  EXPECT_TRUE(contains(stopped.said, "the same command goes on")) << stopped.said;
  EXPECT_FALSE(fs::exists(folder_ / "out/comparison.csv"));
  EXPECT_FALSE(fs::exists(folder_ / "out/members/backward-euler/frames/000008.npy"));
  const Ending ending = run(slow());
  EXPECT_EQ(ending.exit_code, 0) << ending.said;
  fs::rename(folder_ / "out", folder_ / "resumed");
  ASSERT_EQ(run(slow()).exit_code, 0);
  EXPECT_EQ(lasting(folder_ / "resumed"), lasting(folder_ / "out"));
}

TEST_F(CompareCommand, SaysThatSecondsOfDifferentThreadsAreMixed) {
  EXPECT_EQ(stopped_by("kill -INT $p", " --threads 1").exit_code, 130);
  const Ending ending = run(slow() + " --threads 2");
  EXPECT_EQ(ending.exit_code, 0) << ending.said;
  EXPECT_TRUE(contains(ending.said, "it ran with 1, then 2 threads")) << ending.said;
  EXPECT_TRUE(contains(ending.said, "with 1 to 2 threads each")) << ending.said;
  const std::string csv = read_file(folder_ / "out/comparison.csv");
  EXPECT_TRUE(contains(csv, "its seconds are mixed")) << csv;
  EXPECT_FALSE(contains(csv.substr(csv.find("\nsdirk2,")), "mixed")) << csv;
  EXPECT_TRUE(contains(run(slow()).said, "1, then 2 threads")) << "which is remembered";
}

TEST_F(CompareCommand, SaysThatItWaitsForAFolderThatIsInUse) {
  ASSERT_EQ(run(kGrid + " -o out --no-reference").exit_code, 0);
  fs::remove_all(folder_ / "out/members/sdirk2_steps_per_frame=1");
  // The folder is held until the program has said that it waits, or a minute.
  const Ending ending = shell(
      "mkdir out/members/sdirk2_steps_per_frame=1; mkfifo held\n"
      "flock out/members/sdirk2_steps_per_frame=1 sh -c 'echo >held; for i in $(seq 1200); do "
      "grep -q \"waits until\" said.txt && break; sleep 0.05; done' 2>/dev/null &\n"
      "read line <held; " PLIANT_PROGRAM " " +
      kGrid + " -o out --no-reference >said.txt 2>&1; code=$?; wait; cat said.txt; exit $code");
  EXPECT_EQ(ending.exit_code, 0) << ending.said;
  EXPECT_TRUE(contains(ending.said, "sdirk2_steps_per_frame=1: waits until the program that writes to "))
      << ending.said;
  EXPECT_TRUE(contains(ending.said, "sdirk2_steps_per_frame=1: done")) << ending.said;
}

TEST_F(CompareCommand, GoesOnWhereItWasKilled) {
  EXPECT_NE(stopped_by("kill -9 $p").exit_code, 0);
  const Ending ending = run(slow());
  EXPECT_EQ(ending.exit_code, 0) << ending.said;
  EXPECT_TRUE(fs::exists(folder_ / "out/report.html"));
}

TEST_F(CompareCommand, RefusesTheFolderOfAnotherComparison) {
  ASSERT_EQ(run(kGrid + " -o out --no-reference").exit_code, 0);
  const std::string other = "compare scene.toml --vary time.scheme=bdf2,sdirk2 --no-reference -o out";
  const Ending values = run(other);
  EXPECT_EQ(values.exit_code, 2);
  EXPECT_TRUE(contains(values.said, "other values; --overwrite")) << values.said;
  const Ending scene = run(kGrid + " -o out --no-reference --set solver.tolerance=1e-4");
  EXPECT_EQ(scene.exit_code, 2);
  EXPECT_TRUE(contains(scene.said, "another scene")) << scene.said;
  EXPECT_EQ(run(kGrid + " -o out --no-reference --frames 2").exit_code, 2);
  const Ending replaced = run(other + " --overwrite");
  EXPECT_EQ(replaced.exit_code, 0) << replaced.said;
  EXPECT_EQ(listed(folder_ / "out/members"), (std::vector<std::string>{"bdf2", "sdirk2"}));
}

TEST_F(CompareCommand, EmptiesNoFolderThatHoldsSomethingElse) {
  fs::create_directory(folder_ / "out");
  write("out/letter.txt", "dear");
  const Ending ending = run(kGrid + " -o out --overwrite");
  EXPECT_EQ(ending.exit_code, 2) << ending.said;
  EXPECT_TRUE(contains(ending.said, "holds no comparison")) << ending.said;
  EXPECT_EQ(listed(folder_ / "out"), std::vector<std::string>{"letter.txt"});
}

TEST_F(CompareCommand, SaysWithAnExampleWhatItTakes) {
  const Ending ending = run("compare --help");
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_TRUE(contains(ending.said, "Example:\n  pliant compare ")) << ending.said;
}

}  // namespace pliant::compare_command_test
