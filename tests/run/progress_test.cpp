#include "pliant/run/progress.hpp"

namespace pliant::progress_test {
namespace {

TEST(Progress, LineTellsFramesSpeedTimeLeftAndIterations) {
  EXPECT_EQ(progress_line({36, 72, 2, 7}, false), "36/72 frames, 2 frames/s, 0:18 left, 7 iterations");
}

TEST(Progress, BarIsFilledInProportion) {
  EXPECT_EQ(progress_line({18, 72, 0, 0}, true), "[######..................] 18/72 frames, 0 iterations");
  EXPECT_EQ(progress_line({72, 72, 0, 0}, true), "[########################] 72/72 frames, 0 iterations");
}

TEST(Progress, LongTimesAreGivenInHours) {
  EXPECT_EQ(progress_line({0, 3661, 1, 3}, false), "0/3661 frames, 1 frames/s, 1:01:01 left, 3 iterations");
}

TEST(Progress, ARunWithoutFramesHasALine) {
  EXPECT_EQ(progress_line({0, 0, 0, 0}, true), "[........................] 0/0 frames, 0 iterations");
}

TEST(Progress, OffATerminalWritesALineAFrame) {
  ::testing::internal::CaptureStderr();
  Progress progress(false);
  RunTotals totals;
  progress.run_begins(totals, 2);
  for (totals.frames = 1; totals.frames <= 2; ++totals.frames) progress.frame_done(totals);
  progress.run_ends();
  const std::string output = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 2) << output;
  EXPECT_NE(output.find("2/2 frames"), std::string::npos) << output;
}

TEST(Progress, QuietWritesNothing) {
  ::testing::internal::CaptureStderr();
  Progress progress(true);
  RunTotals totals;
  progress.run_begins(totals, 2);
  totals.frames = 1;
  progress.frame_done(totals);
  progress.message_follows();
  progress.run_ends();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace pliant::progress_test
