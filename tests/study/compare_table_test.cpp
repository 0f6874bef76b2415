#include <cmath>
#include <filesystem>

#include "errors.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/mesh_file/npy.hpp"
#include "pliant/run/output_folder.hpp"
#include "pliant/study/compare_progress.hpp"
#include "pliant/study/comparison_table.hpp"

namespace pliant::compare_table_test {
namespace {

namespace fs = std::filesystem;

/// Writes frames and steps as a run would.
class CompareTable : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "pliant-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// A frame of two vertices, the first of which is at x.
  void write_frame(const std::string& run, int frame, float x) const {
    create_folders(folder_ / run / "frames");
    const std::vector<float> values = {x, 0, 0, 0, 5, 0};
    write_file_atomically(frame_path(folder_ / run, frame), npy_bytes(values, 2, 3));
  }

  fs::path folder_;
};

ComparisonRow row_of(const std::string& name, int order, int steps, bool is_reference = false) {
  ComparisonRow row;
  row.member.name = name;
  row.member.order = order;
  row.member.frames = 1;
  row.member.is_reference = is_reference;
  row.result.complete = row.result.finished = row.result.has_numbers = true;
  row.result.status = "done";
  row.result.steps = row.result.converged = steps;
  return row;
}

TEST_F(CompareTable, MeasuresTheDistanceOfKnownFrames) {
  for (int frame = 0; frame <= 3; ++frame) write_frame("there", frame, 0);
  for (const auto& [frame, x] : {std::pair(0, 9.f), {1, 0.f}, {2, 4.f}, {3, 2.f}})
    write_frame("here", frame, x);
  const FrameDistance distance = frame_distance(folder_ / "here", folder_ / "there", 3);
  EXPECT_DOUBLE_EQ(distance.mean, std::sqrt((0 + 8 + 2) / 3.0));
  EXPECT_DOUBLE_EQ(distance.largest, std::sqrt(8.0));
  EXPECT_EQ(distance.largest_frame, 2);
  EXPECT_DOUBLE_EQ(distance.last, std::sqrt(2.0));
}

TEST_F(CompareTable, RefusesFramesThatAreMissing) {
  write_frame("there", 1, 0);
  write_frame("here", 1, 0);
  EXPECT_NO_THROW(frame_distance(folder_ / "here", folder_ / "there", 1));
  EXPECT_ERROR(InputError, "000002.npy: cannot open", frame_distance(folder_ / "here", folder_ / "there", 2));
}

TEST_F(CompareTable, MeasuresToTheReferenceAndSaysWhereItCannot) {
  for (const char* name : {"good", "coarse", "best"}) write_frame(name, 1, name[0] == 'g' ? 2.f : 0.f);
  std::vector<ComparisonRow> rows = {row_of("good", 2, 5), row_of("coarse", 1, 1), row_of("broken", 1, 1),
                                     row_of("best", 2, 5, true)};
  for (ComparisonRow& row : rows) row.member.vertices = 2;
  rows[1].member.vertices = 7;
  rows[2].result.complete = false;
  measure(rows, folder_);
  ASSERT_TRUE(rows[0].distance);
  EXPECT_DOUBLE_EQ(rows[0].distance->mean, std::sqrt(2.0));
  EXPECT_EQ(rows[0].measured_to, "best");
  EXPECT_FALSE(rows[1].distance);
  EXPECT_EQ(rows[1].note, "no distance: it has 7 vertices, best has 2");
  EXPECT_EQ(rows[2].note, "no distance: it did not reach its last frame");
  EXPECT_FALSE(rows[3].distance);
  const Comparison comparison = to_comparison(rows);
  ASSERT_EQ(comparison.points.size(), 1u);
  EXPECT_EQ(comparison.points[0].name, "good");
  EXPECT_EQ(comparison.rows[3][8], "reference");
  EXPECT_EQ(comparison.rows[1][8], "-");
}

TEST_F(CompareTable, TakesTheMemberWithTheLeastErrorToExpectForTheMostAccurate) {
  std::vector<ComparisonRow> rows = {row_of("euler 5", 1, 5), row_of("sdirk 1", 2, 1),
                                     row_of("sdirk 5", 2, 5)};
  EXPECT_EQ(most_accurate(rows, 0), 2);
  rows[2].result.failed = 1;
  EXPECT_EQ(most_accurate(rows, 0), 0);
  rows[0].result.complete = rows[1].result.complete = rows[2].result.complete = false;
  EXPECT_EQ(most_accurate(rows, 0), -1);
  EXPECT_EQ(most_accurate(rows, 1), -1);
}

TEST_F(CompareTable, SaysThatNothingElseSimulatesTheSame) {
  std::vector<ComparisonRow> rows = {row_of("soft", 1, 1), row_of("stiff", 1, 1)};
  rows[1].member.problem = 1;
  measure(rows, folder_);
  EXPECT_EQ(rows[0].note, "no distance: no other member simulates the same thing");
  EXPECT_FALSE(rows[0].distance);
}

TEST_F(CompareTable, QuotesFieldsOfCsv) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"a\""), "\"say \"\"a\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
}

TEST_F(CompareTable, HasAsManyFieldsInEveryRowOfCsv) {
  std::vector<ComparisonRow> rows = {row_of("a", 1, 1), row_of("b", 1, 1)};
  rows[0].member.values = rows[1].member.values = {"[0,1]"};
  rows[1].result.has_numbers = false;
  rows[1].distance = FrameDistance{};
  const std::string csv = comparison_csv(rows, {{"gravity", {"[0,1]"}}});
  std::vector<int> commas = {0};
  bool quoted = false;
  for (const char c : csv) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) ++commas.back();
    if (c == '\n') commas.push_back(0);
  }
  ASSERT_EQ(commas.size(), 4u) << csv;
  EXPECT_EQ(commas[0], commas[1]) << csv;
  EXPECT_EQ(commas[0], commas[2]) << csv;
}

TEST_F(CompareTable, AlignsTextsLeftAndNumbersRight) {
  EXPECT_EQ(aligned({"name", "steps"}, {{"a", "5"}, {"long é", "125"}}),
            "name    steps\n"
            "a           5\n"
            "long é    125\n");
}

TEST_F(CompareTable, FindsTheEnergyThatNothingExplains) {
  const std::string header =
      "kinetic,elastic,total,work_script,work_attachment,work_contact,work_friction,loss_damping,"
      "loss_tear\n";
  // 2 J by a script, then 1 J lost to damping, 3 torn off and half a joule lost to nothing.
  const auto drift = energy_drift(header + "3,1,12,2,0,0,0,0,0\n4,2,7.5,0,0,0,0,1,3\n", 10);
  ASSERT_TRUE(drift);
  EXPECT_DOUBLE_EQ(drift->largest, -0.5);
  EXPECT_DOUBLE_EQ(drift->scale, 6);
  EXPECT_FALSE(energy_drift("step,time\n1,2\n", 0));
  EXPECT_FALSE(energy_drift(header + "3,1\n", 0));
}

TEST_F(CompareTable, FindsTheLastWordsOfAProgram) {
  EXPECT_EQ(last_line("first\nerror: last\n\n"), "error: last");
  EXPECT_EQ(last_line("\n \n"), "");
}

TEST_F(CompareTable, ShowsHowFarAMemberIs) {
  EXPECT_EQ(member_line({"sdirk2", 5, 10, 50, 63}, 8, 80),
            "sdirk2    [##########..........]  5/10 frames, 50 steps, 1:03");
  EXPECT_EQ(member_line({"sdirk2", 5, 10, 50, 63}, 8, 50), "sdirk2    5/10 frames, 50 steps, 1:03");
  EXPECT_EQ(member_line({"sdirk2", 5, 10, 50, 63}, 8, 12).size(), 12u);
}

TEST_F(CompareTable, FollowsARunFolder) {
  write_frame("run", 0, 0);
  write_frame("run", 1, 0);
  write_frame("run", 2, 0);
  write_file_atomically(folder_ / "run/steps.csv", "frame,step,time\n1,1,0.5\n1,2,1\n2,3,1.5\n");
  MemberProgress progress{"run", 0, 5, 0, 0};
  follow(folder_ / "run", progress);
  EXPECT_EQ(progress.frames, 2);
  EXPECT_EQ(progress.steps, 3);
}

}  // namespace
}  // namespace pliant::compare_table_test
