#include "pliant/integrate/drag.hpp"

#include "integrate/scenes.hpp"

namespace pliant::drag_test {
namespace {

using testing::Cube;

struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double kinetic = 0;
};

Momenta momenta(const Model& model, const State& state) {
  Momenta all;
  for (Index i = 0; i < model.mass.size(); ++i) {
    const Vec3 x = state.x.segment<3>(3 * i), v = state.v.segment<3>(3 * i);
    all.linear += model.mass[i] * v;
    all.angular += model.mass[i] * x.cross(v);
    all.kinetic += 0.5 * model.mass[i] * v.squaredNorm();
  }
  return all;
}

/// Does nothing.
class Standstill final : public Scheme {
 public:
  StepReport advance(State&, double) override { return {}; }
  int order() const override { return 1; }
  Stage first_stage(const State& state, double) override {
    Stage stage;
    stage.x_v = state.v;
    return stage;
  }
};

void set_in_motion(State& state) {
  for (Index i = 0; i < state.x.size() / 3; ++i) {
    const Vec3 x = state.x.segment<3>(3 * i);
    state.v.segment<3>(3 * i) = Vec3(0.3, -0.2, 0.1) + Vec3(0.5, 1, -0.7).cross(x) +
                                1.5 * Vec3(std::sin(5 * x.y()), x.x() * x.z(), x.y());
  }
}

TEST(Drag, OfTheEtherTakesSpeedFromAllMotion) {
  Cube cube;
  set_in_motion(cube.state);
  const Vector before = cube.state.v;
  Dragged dragged(cube.model, {{.ether = 2, .internal = 0}}, std::make_unique<Standstill>());
  const Momenta at_first = momenta(cube.model, cube.state);
  const StepReport report = dragged.step(cube.state, 0.1);
  EXPECT_LT((cube.state.v - std::exp(-0.2) * before).norm(), 1e-12);
  EXPECT_NEAR(report.work.damping, at_first.kinetic - momenta(cube.model, cube.state).kinetic, 1e-9);
}

TEST(Drag, OfInternalMotionBooksWhatAScriptPullsAlongAsWorkOfTheScript) {
  Cube cube({.pull = true});
  cube.model.apply_scripts(0.01, cube.state.x, &cube.state.v);  // one end moves, all else rests
  const double before = momenta(cube.model, cube.state).kinetic;
  Dragged dragged(cube.model, {{.ether = 0, .internal = 10}}, std::make_unique<Standstill>());
  const StepReport report = dragged.step(cube.state, 0.1);
  const double gained = momenta(cube.model, cube.state).kinetic - before;
  EXPECT_GT(gained, 0);
  EXPECT_NEAR(report.work.script, gained, 1e-9 * gained);
  EXPECT_EQ(report.work.damping, 0);
}

/// Like one with weights for an estimate of its error.
class Estimating final : public Scheme {
 public:
  StepReport advance(State& state, double) override {
    StepReport report;
    report.error = StepError{Vector::Zero(state.x.size()), Vector::Zero(state.x.size()), 2};
    return report;
  }
  int order() const override { return 2; }
  Stage first_stage(const State&, double) override { return {}; }
};

TEST(Drag, LeavesNoEstimateThatKnowsNothingOfIt) {
  Cube cube;
  Dragged dragged(cube.model, {{.ether = 2}}, std::make_unique<Estimating>());
  EXPECT_FALSE(dragged.step(cube.state, 0.1).error.has_value());
}

TEST(Drag, OfInternalMotionKeepsBothMomenta) {
  Cube cube;
  set_in_motion(cube.state);
  const Momenta before = momenta(cube.model, cube.state);
  Dragged dragged(cube.model, {{.ether = 0, .internal = 3}}, std::make_unique<Standstill>());
  for (int i = 0; i < 200; ++i) dragged.step(cube.state, 0.1);
  const Momenta after = momenta(cube.model, cube.state);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-10 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-10 * before.angular.norm());
  EXPECT_LT(after.kinetic, 0.95 * before.kinetic);
  // What is left moves as a rigid body does: distances do not change.
  const auto x = [&](Index i) { return Vec3(cube.state.x.segment<3>(3 * i)); };
  const auto v = [&](Index i) { return Vec3(cube.state.v.segment<3>(3 * i)); };
  for (Index i = 1; i < cube.state.x.size() / 3; ++i) EXPECT_NEAR((v(i) - v(0)).dot(x(i) - x(0)), 0, 1e-9);
}

TEST(Drag, IsSeenByThoseWhoStudyAStep) {
  Cube cube;
  set_in_motion(cube.state);
  Dragged dragged(cube.model, {{.ether = 2, .internal = 0}}, std::make_unique<Standstill>());
  EXPECT_LT((dragged.first_stage(cube.state, 0.1).x_v - std::exp(-0.2) * cube.state.v).norm(), 1e-12);
}

}  // namespace
}  // namespace pliant::drag_test
