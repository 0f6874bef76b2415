#include "pliant/integrate/side_by_side.hpp"

#include "integrate/scenes.hpp"

namespace pliant::side_by_side_test {
namespace {

using testing::random_vector;
using testing::Twins;

/// Twins of which none is held, the second one at rest or both disturbed.
struct FreeTwins : Twins {
  State state;

  explicit FreeTwins(bool both) {
    model.scripts.clear();
    state.x = testing::positions(model.bodies[0].rest);
    state.v = Vector::Zero(state.x.size());
    const Vector noise = 0.2 * random_vector(state.x.size(), 5);
    for (Index i = 0; i < model.mass.size(); ++i)
      if (both || i % 2 == 0) state.x.segment<3>(3 * i) += noise.segment<3>(3 * i);
  }
  std::unique_ptr<Scheme> scheme(const SolverOptions& options) const {
    return step_components(model, [options](const Model& part) -> std::unique_ptr<Scheme> {
      return std::make_unique<BackwardEuler>(part, options);
    });
  }
};

TEST(SideBySide, BalancesEnergyAndWorkOfAllParts) {
  FreeTwins s(true);
  const Energies before = energies_of(s.model, s.state);
  const StepReport report = s.scheme({.tolerance = 1e-9})->step(s.state, 0.04);
  EXPECT_TRUE(is_converged(report.outcome.status));
  const Energies after = energies_of(s.model, s.state);
  EXPECT_NEAR(report.energies.kinetic, after.kinetic, 1e-12 * after.kinetic);
  EXPECT_NEAR(report.energies.of("elastic"), after.of("elastic"), 1e-12 * before.of("elastic"));
  EXPECT_NEAR(after.total() - before.total(), -report.work.scheme, 1e-6 * before.total());
}

TEST(SideBySide, GoesWhereTheWholeGoes) {
  FreeTwins apart(true), together(true);
  apart.scheme({.tolerance = 1e-10})->step(apart.state, 0.04);
  BackwardEuler(together.model, {.tolerance = 1e-10}).step(together.state, 0.04);
  EXPECT_LT((apart.state.x - together.state.x).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LT((apart.state.v - together.state.v).lpNorm<Eigen::Infinity>(), 1e-8);
  EXPECT_EQ(apart.state.time, together.state.time);
}

TEST(SideBySide, HasTheFirstStageOfTheWhole) {
  const FreeTwins s(true);
  const Stage apart = s.scheme({})->first_stage(s.state, 0.04);
  const Stage together = BackwardEuler(s.model, {}).first_stage(s.state, 0.04);
  EXPECT_EQ(apart.x_a, together.x_a);
  EXPECT_EQ(apart.x_v, together.x_v);
  EXPECT_EQ(apart.x_step, together.x_step);
  EXPECT_EQ(apart.c_a, together.c_a);
  EXPECT_EQ(apart.c_v, together.c_v);
  EXPECT_EQ(apart.time, together.time);
  EXPECT_EQ(apart.time_step, together.time_step);
}

TEST(SideBySide, NamesThePlaceOfTheLargestForceWithinTheBody) {
  FreeTwins s(false);
  const StepReport report = s.scheme({.max_iterations = 1})->step(s.state, 0.04);
  ASSERT_EQ(report.outcome.status, Status::iteration_limit);
  EXPECT_EQ(report.worst.body, "twins");
  EXPECT_EQ(report.worst.vertex % 2, 0) << "a vertex of the first";
  ASSERT_GE(report.worst.element, 0);
  const auto corners = s.model.bodies[0].rest.element(static_cast<size_t>(report.worst.element));
  EXPECT_NE(std::find(corners.begin(), corners.end(), report.worst.vertex), corners.end());
}

TEST(SideBySide, NamesTheWorseOfTwoThatFailed) {
  FreeTwins s(true);
  const StepReport report = s.scheme({.max_iterations = 1})->step(s.state, 0.04);
  StageObjective objective(s.model, ResidualNorm::velocity);
  FreeTwins before(true);
  objective.begin(s.scheme({})->first_stage(before.state, 0.04));
  const WorstPlace worst = find_worst_place(s.model, objective, s.state.x);
  EXPECT_EQ(report.worst.vertex, worst.vertex);
  EXPECT_EQ(report.worst.element, worst.element);
}

/// Remembers where and when it was, and forgets that where it moves fast.
class Remembering final : public Scheme {
 public:
  StepReport advance(State& state, double dt) override {
    EXPECT_TRUE(state.is_sound());
    state.keep("before", state.x);
    state.keep_number("when", state.time);
    if (state.v.norm() > 1)
      for (const char* name : {"before", "when"}) state.forget(name);
    state.x += dt * Vector::Ones(state.x.size());
    state.time += dt;
    return {};
  }
  int order() const override { return 1; }
  Stage first_stage(const State&, double) override { return {}; }
};

TEST(SideBySide, SplitsHistoriesAndPutsThemTogether) {
  FreeTwins s(true);
  const std::unique_ptr<Scheme> scheme =
      step_components(s.model, [](const Model&) { return std::make_unique<Remembering>(); });
  const Vector x = s.state.x;
  scheme->step(s.state, 0.5);
  EXPECT_EQ(*s.state.kept("before"), x);
  const Vector after = s.state.x;
  scheme->step(s.state, 0.5);
  EXPECT_EQ(*s.state.kept("before"), after);
  EXPECT_EQ(s.state.kept_number("when"), 0.5);
  // What belongs to the whole alone, or to no vertices, goes through unchanged.
  s.state.keep_number("whole", 7);
  s.state.arrays["list"] = {
      .of = EntryOf::list, .width = 1, .values = Vector::Ones(2), .holds = {1, 1}, .ids = {3, 9}};
  const StateArray list = s.state.arrays["list"];
  scheme->step(s.state, 0.5);
  EXPECT_EQ(s.state.kept_number("whole"), 7);
  EXPECT_EQ(s.state.arrays.at("list"), list);
}

TEST(SideBySide, ForgetsForOnePartWhatHoldsForAnother) {
  FreeTwins s(true);
  const std::unique_ptr<Scheme> scheme =
      step_components(s.model, [](const Model&) { return std::make_unique<Remembering>(); });
  s.state.v[0] = 2;  // of the first twin, which has the even vertices
  scheme->step(s.state, 0.5);
  const StateArray& before = s.state.arrays.at("before");
  for (Index i = 0; i < before.entries(); ++i) EXPECT_EQ(before.holds[i], i % 2);
  EXPECT_EQ(s.state.kept("before"), nullptr);
  EXPECT_EQ(s.state.kept_number("when"), 0) << "the second one goes on from it";
}

/// Keeps something of each part that another part has otherwise.
class Disagreeing final : public Scheme {
 public:
  StepReport advance(State& state, double) override {
    state.keep_number("mine", state.x[0]);
    return {};
  }
  int order() const override { return 1; }
  Stage first_stage(const State&, double) override { return {}; }
};

TEST(SideBySide, RefusesPartsThatDoNotAgreeOnTheWhole) {
  FreeTwins s(true);
  const std::unique_ptr<Scheme> scheme =
      step_components(s.model, [](const Model&) { return std::make_unique<Disagreeing>(); });
  try {
    scheme->step(s.state, 0.5);
    FAIL();
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "components of a model do not agree on 'mine', which is of the whole");
  }
}

}  // namespace
}  // namespace pliant::side_by_side_test
