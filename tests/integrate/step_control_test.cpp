#include "pliant/integrate/step_control.hpp"

#include "integrate/contact_programs.hpp"
#include "integrate/oscillator.hpp"
#include "test_names.hpp"

namespace pliant::step_control_test {
namespace {

using testing::Oscillator;

SolverOptions exact() { return {.method = "newton-cholesky", .tolerance = 1e-13}; }

struct Ride {
  State state;
  int steps = 0;
};

Ride ride(const Oscillator& oscillator, const std::string& name, double tolerance, double until) {
  const auto scheme = make_joint_scheme({.name = name}, oscillator.model, exact());
  Ride ride{oscillator.state};
  while (ride.state.time < until) {
    StepControl control(oscillator.model, *scheme, {.tolerance = tolerance, .longest = until});
    EXPECT_TRUE(is_converged(control.advance(ride.state, until).outcome.status));
    if (ride.state.time > until * (1 - 1e-12)) ride.state.time = until;
    ++ride.steps;
  }
  return ride;
}

class Controlled : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Schemes, Controlled,
                         ::testing::Values("backward-euler", "sdirk2", "tr-bdf2", "tr-bdf2-b", "esdirk-324",
                                           "esdirk-436", "ros3pl", "ros3prl2", "ros34pw2", "newmark",
                                           "generalized-alpha"),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param); });

TEST_P(Controlled, TheErrorIsThatOfSoManyStepsAndFallsWithTheToleranceAsTheOrderSays) {
  // Steps go with the (order + 1)st root of the tolerance, and their errors add up.
  const Oscillator oscillator;
  const Vector reference = ride(oscillator, "esdirk-436", 1e-12, 2).state.x;
  double errors[2];
  for (const int i : {0, 1}) {
    const double tolerance = i == 0 ? 1e-5 : 1e-7;
    const Ride end = ride(oscillator, GetParam(), tolerance, 2);
    errors[i] = (end.state.x - reference).norm();
    EXPECT_LT(errors[i], 2 * end.steps * tolerance);
  }
  const int order = make_joint_scheme({.name = GetParam()}, oscillator.model, exact())->order();
  EXPECT_NEAR(std::log(errors[0] / errors[1]) / std::log(100), order / (order + 1.0), 0.15);
}

TEST_P(Controlled, TakesShortStepsWhereMuchHappens) {
  // Driven hard for a moment: steps follow.
  const Oscillator calm({.force = 0}), driven({.force = 50, .frequency = 40});
  EXPECT_GT(ride(driven, GetParam(), 1e-5, 2).steps, 1.5 * ride(calm, GetParam(), 1e-5, 2).steps);
}

TEST(StepControl, TrustsEstimatesThatFallWithThePowerOfTheStepThatTheyClaim) {
  // One more than the order of the embedded answer, where that is the lower one.
  const Oscillator oscillator;
  for (const std::string name :
       {"tr-bdf2", "tr-bdf2-b", "esdirk-324", "esdirk-436", "ros3pl", "ros3prl2", "ros34pw2"}) {
    const auto scheme = make_joint_scheme({.name = name}, oscillator.model, exact());
    const auto estimated = [&](double dt) {
      State state = oscillator.state;
      return scheme->step(state, dt).error.value();
    };
    const StepError coarse = estimated(0.04), fine = estimated(0.02);
    const double slope =
        std::log2(std::hypot(coarse.x.norm(), coarse.v.norm()) / std::hypot(fine.x.norm(), fine.v.norm()));
    EXPECT_NEAR(slope, coarse.power, 0.2) << name;
  }
}

TEST(StepControl, EndsWhereItShould) {
  const Oscillator oscillator;
  const auto scheme = make_joint_scheme({.name = "tr-bdf2"}, oscillator.model, exact());
  StepControl control(oscillator.model, *scheme, {.tolerance = 1e-6, .longest = 0.5});
  State state = oscillator.state;
  double last = 0;
  while (state.time < 0.5 - 1e-12) {
    control.advance(state, 0.5);
    EXPECT_GT(state.time, last);
    EXPECT_LT(state.time, 0.5 + 1e-12);
    last = state.time;
  }
}

TEST(StepControl, CountsTheWorkOfStepsItTookAgain) {
  const Oscillator oscillator({.force = 200, .frequency = 60});
  const auto scheme = make_joint_scheme({.name = "tr-bdf2"}, oscillator.model, exact());
  StepControl control(oscillator.model, *scheme, {.tolerance = 1e-7, .longest = 2});
  State state = oscillator.state;
  state.keep_number("step_length", 1);  // far too long
  const StepReport report = control.advance(state, 2);
  EXPECT_LT(state.time, 0.2);
  EXPECT_GT(report.outcome.linear_solves, 4);
}

TEST(StepControl, GetsPastAnImpactThatAContactProgramCorrectsWithTheErrorThatWasAskedFor) {
  const auto fall = [](double tolerance, int& steps) {
    testing::ContactScene scene;
    scene.add(testing::cube(1), testing::at({0, 0.6, 0}), {.young = 1e5, .velocity = {0, -1, 0}});
    scene.add(testing::program_ground());
    scene.finish({.gravity = Vec3(0, -9.81, 0), .mass_damping = 5});
    const auto scheme = testing::corrected(scene.model, "sdirk2", {.longest_step = 0.2});
    bool touched = false;
    for (steps = 0; scene.state.time < 0.2 * (1 - 1e-12); ++steps) {
      const StepReport report = StepControl(scene.model, *scheme, {.tolerance = tolerance, .longest = 0.2})
                                    .advance(scene.state, 0.2);
      EXPECT_TRUE(is_converged(report.outcome.status));
      touched |= report.contacts.count > 0;
    }
    EXPECT_TRUE(touched);
    return scene.center();
  };
  int steps = 0;
  const Vec3 exact = fall(1e-7, steps);
  double before = 1;
  for (const double tolerance : {1e-3, 1e-4, 1e-5}) {
    const double error = (fall(tolerance, steps) - exact).norm();
    EXPECT_LT(error, 2 * tolerance * steps) << tolerance;
    EXPECT_LT(error, 0.4 * before) << tolerance;  // with the root of the tolerance
    before = error;
  }
}

TEST(StepControl, WorksOffADepthInStepsThatTheErrorAllows) {
  // What is worked off must fall with the step: a share of the depth in every step, however short, is an
  // error that no length makes small.
  const double deep = 0.05, longest = 0.04, tolerance = 1e-4;
  testing::ContactScene scene;
  scene.add(testing::cube(2), testing::at({0, 0.5 - deep, 0}), {.young = 1e6});
  scene.add(testing::program_ground());
  scene.finish({.gravity = Vec3(0, -9.81, 0), .mass_damping = 20});
  const auto scheme = testing::corrected(scene.model, "sdirk2", {.longest_step = longest});
  EXPECT_NEAR(scene.lowest(), -deep, 1e-12);
  int steps = 0;
  for (int frame = 1; frame <= 10; ++frame)
    for (; scene.state.time < frame * longest * (1 - 1e-12); ++steps) {
      const StepReport report =
          StepControl(scene.model, *scheme, {.tolerance = tolerance, .longest = longest})
              .advance(scene.state, frame * longest);
      EXPECT_TRUE(is_converged(report.outcome.status));
    }
  EXPECT_LT(steps, 400);
  EXPECT_GT(scene.lowest(), -0.2 * deep);
  EXPECT_LT(scene.lowest(), 1e-3);
}

/// Moves on with the velocity of the start; fails where steps are longer than it can bear, or end in a while.
class Fragile final : public Scheme {
 public:
  explicit Fragile(double longest, Interval impassable = {-1, -1})
      : longest_(longest), impassable_(impassable) {}

  StepReport advance(State& state, double dt) override {
    state.time += dt;
    state.x += dt * state.v;
    StepReport report;
    const bool inside = state.time > impassable_.from && state.time < impassable_.to;
    report.outcome.status = dt > longest_ || inside ? Status::stalled : Status::converged;
    report.outcome.iterations = 1;
    report.error = StepError{Vector::Zero(state.x.size()), Vector::Zero(state.x.size()), 2};
    return report;
  }
  int order() const override { return 1; }
  Stage first_stage(const State&, double) override { return {}; }

 private:
  double longest_;
  Interval impassable_;
};

TEST(StepControl, TakesStepsThatFailAgainShorter) {
  const Oscillator oscillator;
  Fragile scheme(0.01);
  StepControl control(oscillator.model, scheme, {.tolerance = 1e-6, .longest = 1});
  State state = oscillator.state;
  state.keep_number("step_length", 0.04);
  const StepReport report = control.advance(state, 1);
  EXPECT_EQ(name(report.outcome.status), "converged");
  EXPECT_EQ(report.outcome.iterations, 3);  // those of 40 and 20 ms failed
  EXPECT_NEAR(state.time - oscillator.state.time, 0.01, 1e-12);
  EXPECT_GE(state.kept_number("step_length"), 0.01);
}

TEST(StepControl, KeepsAStepThatNoLengthCuresAndTimeGoesOn) {
  const Oscillator oscillator;
  Fragile scheme(0);
  StepControl control(oscillator.model, scheme, {.tolerance = 1e-6, .longest = 1});
  State state = oscillator.state;
  state.keep_number("step_length", 0.25);
  int steps = 0;
  while (state.time < 1 - 1e-12) {
    const double before = state.time;
    const StepReport report = control.advance(state, 1);
    EXPECT_EQ(name(report.outcome.status), "stalled");
    EXPECT_GT(state.time - before, 0.24);     // that tried first, or longer
    EXPECT_EQ(report.outcome.iterations, 9);  // eight times halved
    ASSERT_LE(++steps, 4);
  }
  EXPECT_EQ(state.x, oscillator.state.x + (state.time - oscillator.state.time) * oscillator.state.v);
}

TEST(StepControl, GetsPastATimeThatNoStepCanEndIn) {
  // Steps get shorter and shorter towards it, and longer again where none of them helps.
  const Oscillator oscillator;
  Fragile scheme(1, {0.2, 0.9});
  StepControl control(oscillator.model, scheme, {.tolerance = 1e-6, .longest = 1});
  State state = oscillator.state;
  state.time = 0;
  int steps = 0, failed = 0;
  while (state.time < 1 - 1e-12) {
    ASSERT_LE(++steps, 100) << "at " << state.time;
    failed += has_failed(control.advance(state, 1).outcome.status);
  }
  EXPECT_GT(failed, 0);
  EXPECT_LE(failed, 20);
}

TEST(StepControl, GetsPartsThatStepApartThroughACollision) {
  testing::ContactScene scene;
  scene.add(testing::cube(1), testing::at({0, 0.7, 0}), {.velocity = {0, -3, 0}});
  scene.add(testing::cube(1), testing::at({5, 2, 0}), {.velocity = {0, 1, 0}});
  scene.add(testing::half_space(Vec3::UnitY()));
  scene.finish({.gravity = {0, -9.81, 0}});
  const auto scheme = step_components(scene.model, [](const Model& part) {
    return make_joint_scheme({.name = "tr-bdf2"}, part, SolverOptions{.tolerance = 1e-8});
  });
  StepControl control(scene.model, *scheme, {.tolerance = 1e-3, .longest = 0.3});
  bool touched = false;
  while (scene.state.time < 0.3 - 1e-12) {
    const StepReport report = control.advance(scene.state, 0.3);
    EXPECT_TRUE(is_converged(report.outcome.status));
    EXPECT_GE(report.contacts.smallest_gap, -1e-9);
    touched |= report.contacts.count > 0;
  }
  EXPECT_TRUE(touched);
}

}  // namespace
}  // namespace pliant::step_control_test
