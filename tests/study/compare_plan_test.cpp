#include "pliant/study/compare_plan.hpp"

#include <algorithm>
#include <filesystem>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"

namespace pliant::compare_plan_test {
namespace {

/// A question about a small scene in a folder of its own.
class ComparePlanTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "pliant-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    question_.scene = folder_ / "scene.toml";
    write_file_atomically(question_.scene,
                          "name = \"Small\"\nduration = 0.1\nframe_rate = 30\n[time]\nsteps_per_frame = 2\n"
                          "[[body]]\nshape = { cells = [1, 1, 1] }\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string complaint() const {
    try {
      plan_comparison(question_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
  CompareQuestion question_;
};

bool has(const PlannedMember& member, const std::string& override) {
  return std::find(member.overrides.begin(), member.overrides.end(), override) != member.overrides.end();
}

TEST_F(ComparePlanTest, AddsAReferenceWithFineStepsAndATightTolerance) {
  question_.varied = {{"time.scheme", {"backward-euler", "bdf2"}}, {"time.steps_per_frame", {"1", "5"}}};
  const ComparePlan plan = plan_comparison(question_);
  ASSERT_EQ(plan.members.size(), 5u);
  const PlannedMember& reference = plan.members.back();
  EXPECT_TRUE(reference.is_reference);
  EXPECT_EQ(reference.name, "reference");
  EXPECT_EQ(reference.overrides, (std::vector<std::string>{"time.scheme=sdirk2", "time.steps_per_frame=50",
                                                           "solver.tolerance=1e-06", "name=\"reference\""}));
  EXPECT_TRUE(reference.scene_text.starts_with("name = \"reference\"")) << reference.scene_text;
  EXPECT_EQ(reference.values, (std::vector<std::string>{"sdirk2", "50"}));
  EXPECT_EQ(reference.order, 2);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(plan.members[i].reference, 4) << i;
  EXPECT_EQ(plan.members.front().frames, 3);
  EXPECT_EQ(plan.members.front().vertices, 8);
}

TEST_F(ComparePlanTest, MeasuresASchemeOfOnesOwnByAnother) {
  question_.overrides = {"time.scheme=runge-kutta", "time.tableau={a=[1],b=[1],c=[1]}"};
  question_.varied = {{"time.steps_per_frame", {"1", "5"}}};
  const ComparePlan plan = plan_comparison(question_);
  ASSERT_EQ(plan.members.size(), 3u);
  EXPECT_TRUE(contains(plan.members.front().scene_text, "tableau")) << plan.members.front().scene_text;
  const std::string& reference = plan.members.back().scene_text;
  EXPECT_TRUE(contains(reference, "sdirk2")) << reference;
  EXPECT_FALSE(contains(reference, "tableau")) << reference;
  EXPECT_TRUE(contains(reference, "steps_per_frame = 50")) << reference;
}

TEST_F(ComparePlanTest, AddsNoReferenceWhereNoneIsWanted) {
  question_.varied = {{"time.scheme", {"backward-euler", "bdf2"}}};
  question_.reference = false;
  const ComparePlan plan = plan_comparison(question_);
  ASSERT_EQ(plan.members.size(), 2u);
  EXPECT_EQ(plan.members[0].reference, -1);
}

TEST_F(ComparePlanTest, GivesEachProblemAReferenceOfItsOwn) {
  question_.varied = {{"body.0.material.young", {"1e5", "1e6"}},
                      {"solver.method", {"newton-cholesky", "lbfgs"}}};
  const ComparePlan plan = plan_comparison(question_);
  ASSERT_EQ(plan.members.size(), 6u);
  EXPECT_EQ(plan.members[4].name, "reference_young=1e5");
  EXPECT_EQ(plan.members[5].name, "reference_young=1e6");
  EXPECT_TRUE(has(plan.members[5], "body.0.material.young=1e6"));
  EXPECT_TRUE(has(plan.members[5], "solver.method=newton-cholesky"));
  EXPECT_TRUE(has(plan.members[5], "time.steps_per_frame=20"));
  EXPECT_EQ(plan.members[0].reference, 4);
  EXPECT_EQ(plan.members[1].reference, 4);
  EXPECT_EQ(plan.members[3].reference, 5);
  EXPECT_EQ(plan.members[2].problem, plan.members[5].problem);
  EXPECT_NE(plan.members[0].problem, plan.members[2].problem);
}

TEST_F(ComparePlanTest, SolvesTheReferenceToTheEndWhateverTheMembersDo) {
  question_.varied = {{"solver.method", {"lbfgs", "newton-cg"}}, {"solver.iterations", {"3", "5"}}};
  question_.overrides = {"solver.max_iterations=9"};
  const PlannedMember reference = plan_comparison(question_).members.back();
  for (const char* choice : {"solver.method=newton-cg", "solver.iterations=0", "solver.max_iterations=500"})
    EXPECT_TRUE(has(reference, choice)) << choice;
}

TEST_F(ComparePlanTest, TakesWhatIsChosenForTheReference) {
  question_.varied = {{"time.scheme", {"backward-euler", "sdirk2"}},
                      {"body.0.material.young", {"1e5", "1e6"}}};
  question_.reference_choices = {"time.scheme=sdirk3", "time.steps_per_frame=7", "body.0.material.young=1e5"};
  const ComparePlan plan = plan_comparison(question_);
  ASSERT_EQ(plan.members.size(), 5u);
  for (const std::string& choice : question_.reference_choices)
    EXPECT_TRUE(has(plan.members[4], choice)) << choice;
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(plan.members[i].reference, 4) << i;
}

TEST_F(ComparePlanTest, RunsAMemberThatIsTheReferenceOnce) {
  question_.varied = {{"time.scheme", {"backward-euler", "sdirk2"}}};
  question_.reference_choices = {"time.steps_per_frame=2", "solver.tolerance=1e-3"};
  const ComparePlan plan = plan_comparison(question_);
  ASSERT_EQ(plan.members.size(), 2u);
  EXPECT_TRUE(plan.members[1].is_reference);
  EXPECT_EQ(plan.members[0].reference, 1);
}

TEST_F(ComparePlanTest, TightensTheToleranceOfSteps) {
  question_.overrides = {"time.steps_per_frame=1"};
  question_.varied = {{"time.tolerance", {"1e-2", "1e-3"}}};
  const ComparePlan plan = plan_comparison(question_);
  EXPECT_TRUE(has(plan.members.back(), "time.tolerance=1e-05")) << plan.members.back().overrides.back();
}

TEST_F(ComparePlanTest, SaysEverythingThatIsWrongOnce) {
  question_.varied = {{"time.scheme", {"backward-euler", "sdirk9"}}, {"solver.tolerance", {"1e-3", "-1"}}};
  const std::string said = complaint();
  EXPECT_NE(said.find("--vary time.scheme=sdirk9: "), std::string::npos) << said;
  EXPECT_NE(said.find("--vary solver.tolerance=-1: "), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
}

TEST_F(ComparePlanTest, RefusesAKeyThatIsSetAndVaried) {
  question_.overrides = {"time.scheme=bdf2"};
  question_.varied = {{"time.scheme", {"backward-euler", "sdirk2"}}};
  EXPECT_NE(complaint().find("both set and varied"), std::string::npos) << complaint();
}

TEST_F(ComparePlanTest, SaysHowToDoWithoutAReferenceThatIsImpossible) {
  question_.varied = {{"time.scheme", {"backward-euler", "bdf2"}}};
  question_.reference_choices = {"time.scheme=runge-kutta"};
  EXPECT_NE(complaint().find("--no-reference"), std::string::npos) << complaint();
}

}  // namespace
}  // namespace pliant::compare_plan_test
