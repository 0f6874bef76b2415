#include "pliant/view/step_rows.hpp"

#include <cmath>
#include <fstream>

#include "errors.hpp"
#include "pliant/base/error.hpp"
#include "pliant/view/container.hpp"
#include "runs.hpp"

namespace pliant::step_rows_test {
namespace {

class StepRowsTest : public ::testing::Test {
 protected:
  void append(const std::string& text) { std::ofstream(file_, std::ios::app) << text; }
  void replace(const std::string& text) { std::ofstream(file_) << text; }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "steps.csv";
};

TEST_F(StepRowsTest, GiveTheColumnsOfNumbers) {
  replace("step,time,status,gap\n1,0.5,converged,2\n2,1,as-asked,\n");
  StepRows rows(file_);
  const std::string bytes = rows.from(0);
  const ContainerReader reader(bytes, "steps");
  EXPECT_EQ(reader.f64("time"), (std::vector<double>{0.5, 1}));
  EXPECT_FALSE(reader.has("status"));
  EXPECT_TRUE(std::isnan(reader.f64("gap")[1]));
  EXPECT_NE(
      reader.members().find(R"("from":0,"rows":2,"columns":["step","time","gap"],"failed":[],"statuses":{})"),
      std::string::npos)
      << reader.members();
}

TEST_F(StepRowsTest, AreNotMoreThanCanBeShown) {
  replace("time\n" + std::string((1 << 23) + 1, '\n'));
  StepRows rows(file_);
  try {
    rows.count();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("more rows than are shown"), std::string::npos) << error.what();
  }
}

TEST_F(StepRowsTest, NameThoseThatDidNotConverge) {
  replace("time,status\n1,converged\n2,stalled\n3,converged-to-roundoff\n4,not-finite\n");
  StepRows rows(file_);
  EXPECT_NE(rows.from(0).find(R"("failed":[1,3],"statuses":{"1":"stalled","3":"not-finite"})"),
            std::string::npos);
  EXPECT_NE(rows.from(2).find(R"("from":2,"rows":2,)"), std::string::npos);
  EXPECT_NE(rows.from(2).find(R"("failed":[3],"statuses":{"3":"not-finite"})"), std::string::npos);
}

TEST_F(StepRowsTest, GrowWithTheFile) {
  replace("time,status\n1,converged\n");
  StepRows rows(file_);
  EXPECT_EQ(rows.count(), 1U);
  append("2,conv");
  EXPECT_EQ(rows.count(), 1U) << "half a row is none";
  append("erged\n3,stalled\n");
  EXPECT_EQ(rows.count(), 3U);
  const std::string bytes = rows.from(1);
  EXPECT_EQ(ContainerReader(bytes, "steps").f64("time"), (std::vector<double>{2, 3}));
}

TEST_F(StepRowsTest, AreReadAnewWhereTheFileWasCutBack) {
  replace("time,status\n1,converged\n2,stalled\n3,stalled\n");
  StepRows rows(file_);
  EXPECT_EQ(rows.count(), 3U);
  replace("time,status\n1,converged\n");
  EXPECT_EQ(rows.count(), 1U);
  // Cut back and grown over its old length, with rows of other lengths.
  replace("time,status\n1,converged\n2.25,stalled\n3.125,stalled\n4,stalled\n");
  const std::string bytes = rows.from(0);
  EXPECT_EQ(ContainerReader(bytes, "steps").f64("time"), (std::vector<double>{1, 2.25, 3.125, 4}));
}

TEST_F(StepRowsTest, PastTheEndAreNone) {
  replace("time,status\n1,converged\n");
  StepRows rows(file_);
  const std::string bytes = rows.from(7);
  EXPECT_TRUE(ContainerReader(bytes, "steps").f64("time").empty());
}

TEST_F(StepRowsTest, FollowNoLink) {
  replace("time,status\n1,converged\n");
  std::filesystem::create_symlink(file_, folder_ / "link.csv");
  EXPECT_EQ(StepRows(file_).count(), 1U);
  EXPECT_ERROR(InputError, "is a link and is not read", StepRows(folder_ / "link.csv").count());
}

TEST_F(StepRowsTest, SayWhatIsWrong) {
  EXPECT_ERROR(InputError, "cannot open", StepRows(file_).count()) << "no file";
  for (const std::string text : {"hello\n", "time,status\n1\n", "time,status\n1,converged,2\n",
                                 "time,status\none,converged\n", "time,status\n1 ,converged\n", "\n"}) {
    replace(text);
    EXPECT_ERROR(InputError, "table of steps", StepRows(file_).count()) << text;
  }
}

TEST_F(StepRowsTest, OfARealRunHaveItsColumns) {
  run_fake(folder_ / "out", 3);
  StepRows rows(folder_ / "out/steps.csv");
  EXPECT_EQ(rows.count(), 6U);
  const std::string bytes = rows.from(0);
  const ContainerReader reader(bytes, "steps");
  for (const char* column : {"frame", "time", "iterations", "linear_solves", "residual", "kinetic", "elastic",
                             "gravitational", "total", "contacts", "seconds_assembly", "seconds_step"})
    EXPECT_EQ(reader.f64(column).size(), 6U) << column;
}

}  // namespace
}  // namespace pliant::step_rows_test
