// Runs that other programs write to while they are looked at.
#include "pliant/view/watched_run.hpp"

#include <sys/file.h>
#include <unistd.h>

#include "pliant/base/error.hpp"
#include "runs.hpp"

namespace pliant::watched_run_test {
namespace {

namespace fs = std::filesystem;

class WatchedRunTest : public ::testing::Test {
 protected:
  void SetUp() override { run_fake(out_, 4); }

  void put_status(const std::string& status) {
    std::string summary = read_file(out_ / "summary.json");
    const std::string before = "\"status\": \"";
    const size_t begin = summary.find(before) + before.size();
    summary.replace(begin, summary.find('"', begin) - begin, status);
    write_file_atomically(out_ / "summary.json", summary);
  }

  TemporaryFolder folder_;
  fs::path out_ = folder_ / "out";
};

TEST_F(WatchedRunTest, ARecordedRunIsSaidToBe) {
  WatchedRun run(out_);
  const WatchedRun::Status status = run.status();
  EXPECT_EQ(status.state, "recorded");
  EXPECT_EQ(status.generation, 0);
  EXPECT_EQ(status.frames, 5);
  EXPECT_EQ(status.steps, 8U);
  EXPECT_EQ(status.message, "");
}

TEST_F(WatchedRunTest, ARunThatIsWrittenToIsToldFromOneThatWasKilled) {
  WatchedRun run(out_);
  put_status("running");
  EXPECT_EQ(run.status().state, "broken-off");
  {
    const OutputFolder writer(out_, true, false);
    EXPECT_EQ(run.status().state, "writing");
  }
  EXPECT_EQ(run.status().state, "broken-off");
  put_status("completed");
  EXPECT_EQ(run.status().state, "recorded");
}

TEST_F(WatchedRunTest, TwoWhoLookDoNotTakeEachOtherForARun) {
  const int handle = ::open(out_.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(handle, LOCK_SH | LOCK_NB), 0);
  EXPECT_FALSE(is_being_written(out_));
  ::close(handle);
}

TEST_F(WatchedRunTest, ANewSummaryIsNoticed) {
  WatchedRun run(out_);
  const std::string before = run.status().summary;
  EXPECT_EQ(run.status().summary, before);
  put_status("interrupted");
  EXPECT_NE(run.status().summary, before);
}

TEST_F(WatchedRunTest, ARunThatWasStartedAnewIsOpenedAnew) {
  WatchedRun run(out_);
  const std::shared_ptr<const ShownRun> before = run.run();
  EXPECT_EQ(run.status().steps, 8U);
  Simulation again = fake_simulation(2);
  ::pliant::run(again, {.folder = out_, .frames = 2, .overwrite = true});
  const WatchedRun::Status status = run.status();
  EXPECT_EQ(status.generation, 1);
  EXPECT_EQ(status.frames, 3);
  EXPECT_EQ(status.steps, 4U);
  EXPECT_NE(run.run(), before);
  EXPECT_NE(run.head(0).find(R"("generation":1)"), std::string::npos);
  EXPECT_EQ(run.status().generation, 1);
}

TEST_F(WatchedRunTest, ARunThatWasResumedWithMoreFramesHasTheirPoses) {
  WatchedRun run(out_);
  EXPECT_EQ(run.status().generation, 0);
  Simulation again = fake_simulation(6);
  ::pliant::run(again, {.folder = out_, .frames = 6, .resume = true});
  EXPECT_EQ(run.status().frames, 7);
  EXPECT_NO_THROW(run.run()->frame(6));
}

TEST_F(WatchedRunTest, AFolderThatIsBeingFilledIsTriedAgain) {
  WatchedRun run(out_);
  const std::string mesh = read_file(out_ / "bodies/one.vtu"), frame = read_file(frame_path(out_, 0));
  fs::remove(out_ / "bodies/one.vtu");
  write_file_atomically(frame_path(out_, 0), frame);
  const WatchedRun::Status status = run.status();
  EXPECT_EQ(status.generation, 0);
  EXPECT_NE(status.message.find("one.vtu"), std::string::npos) << status.message;
  write_file_atomically(out_ / "bodies/one.vtu", mesh);
  EXPECT_EQ(run.status().generation, 1);
  EXPECT_EQ(run.status().message, "");
}

TEST_F(WatchedRunTest, AFolderThatHasGoneIsAMessage) {
  WatchedRun run(out_);
  fs::remove_all(out_);
  EXPECT_NE(run.status().message, "");
}

}  // namespace
}  // namespace pliant::watched_run_test
