// Obstacles with every scheme that can hold bodies outside of them. Impacts at every phase of the step are in
// impact_test.cpp.
#include "errors.hpp"
#include "integrate/contact_scenes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/integrate/honour.hpp"
#include "pliant/integrate/schemes.hpp"
#include "test_names.hpp"

namespace pliant::scheme_contact_test {
namespace {

using testing::at;
using testing::ball;
using testing::contact_solver;
using testing::ContactScene;
using testing::cube;
using testing::half_space;

const Vec3 kGravity(0, -9.81, 0);

std::vector<std::string> holding_schemes(bool holding) {
  std::vector<std::string> names;
  for (const SchemeKind& kind : scheme_kinds())
    if (kind.implicit && kind.name != "runge-kutta" &&
        ends_with_a_stage({.name = std::string(kind.name)}) == holding)
      names.emplace_back(kind.name);
  return names;
}

class Holding : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Schemes, Holding, ::testing::ValuesIn(holding_schemes(true)),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param); });

/// Steps a scene; no step may have more energy than the start, or a vertex inside.
void expect_no_energy_from_nowhere(const std::string& name, Model& model, State& state, double dt, int steps,
                                   int phase) {
  const auto scheme = make_joint_scheme({.name = name}, model, contact_solver());
  const double start = energies_of(model, state).total();
  bool touched = false;
  for (int i = 0; i < steps; ++i) {
    const StepReport report = scheme->step(state, dt);
    ASSERT_TRUE(is_converged(report.outcome.status)) << "phase " << phase << ", step " << i;
    ASSERT_LE(report.energies.total(), start + 1e-9 * std::abs(start)) << "phase " << phase << ", step " << i;
    ASSERT_GE(report.contacts.smallest_gap, -1e-9) << "phase " << phase << ", step " << i;
    touched |= report.contacts.count > 0;
  }
  EXPECT_TRUE(touched) << "phase " << phase;
}

TEST_P(Holding, NeverMakesABodyLeaveAPlaneWithMoreEnergyThanItCame) {
  for (int phase = 0; phase < 100; ++phase) {
    ContactScene scene;
    scene.add(cube(1), at({0, 0.9 + 0.004 * phase, 0}, {0.3, 0.1 * phase, 0.7}),
              {.young = 2e4, .velocity = {0.5, -6, 0}});
    scene.add(half_space(Vec3::UnitY()));
    scene.finish({.gravity = kGravity});
    expect_no_energy_from_nowhere(GetParam(), scene.model, scene.state, 1 / 48.0, 40, phase);
  }
}

TEST_P(Holding, RestsOnAPlane) {
  ContactScene scene;
  scene.add(cube(2), at({0, 0.52, 0}), {});
  scene.add(half_space(Vec3::UnitY()));
  scene.finish({.gravity = kGravity, .mass_damping = 4});
  const auto scheme = make_joint_scheme({.name = GetParam()}, scene.model, contact_solver());
  for (int i = 0; i < 150; ++i) scheme->step(scene.state, 1 / 24.0);
  EXPECT_NEAR(scene.lowest(), 0, 1e-9);
  // What does not damp the fastest motion takes longer.
  const bool undamped = GetParam() == "trapezoidal" || GetParam() == "newmark";
  EXPECT_LT(scene.state.v.lpNorm<Eigen::Infinity>(), undamped ? 1e-2 : 1e-3);
}

TEST_P(Holding, SlidesAndStopsByFrictionAsCoulombSays) {
  // From 2 m/s with mu = 0.4: stops after v^2 / (2 mu g).
  ContactScene scene;
  scene.add(cube(2), at({0, 0.5, 0}), {.young = 1e6, .velocity = {2, 0, 0}});
  Obstacle plane = half_space(Vec3::UnitY());
  plane.friction = 0.4;
  scene.add(std::move(plane));
  scene.finish({.gravity = kGravity});
  const double before = scene.center().x();
  const auto scheme = make_joint_scheme({.name = GetParam()}, scene.model, contact_solver(1e-6));
  for (int i = 0; i < 200; ++i) {
    const StepReport report = scheme->step(scene.state, 1 / 240.0);
    ASSERT_LE(report.contacts.friction_gain, 1e-12 * std::abs(report.energies.total()));
  }
  const double expected = 2 * 2 / (2 * 0.4 * 9.81);
  EXPECT_NEAR(scene.center().x() - before, expected, 0.05 * expected);
}

/// Those with several stages, or one that is not backward Euler's.
std::vector<std::string> stopping_schemes() {
  std::vector<std::string> names = holding_schemes(true);
  std::erase(names, "backward-euler");
  return names;
}

class Stopping : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Schemes, Stopping, ::testing::ValuesIn(stopping_schemes()),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param); });

TEST_P(Stopping, GivesWhatIsHeldAtTheEndTheVelocityOfTheObstacleAlongItsNormal) {
  // A platform rises into a body, the faster the longer, and is smooth, so that across it nothing is changed.
  ContactScene scene;
  scene.add(cube(2), at({0, 0.55, 0}), {.young = 3e4, .velocity = {0.7, -2, 0}});
  Obstacle platform = half_space(Vec3(0.1, 1, 0).normalized());
  platform.motion.keys = {{0, Vec3::Zero(), 0}, {0.4, Vec3(0, 0.3, 0.2), 0}};
  platform.motion.interpolation = Motion::Interpolation::smooth;
  scene.add(platform);
  scene.finish({.gravity = kGravity});
  const auto scheme = make_joint_scheme({.name = GetParam()}, scene.model, contact_solver());
  Index held = 0;
  for (int i = 0; i < 20; ++i) {
    const StepReport report = scheme->step(scene.state, 0.01);
    ASSERT_TRUE(is_converged(report.outcome.status)) << i;
    const PlacedObstacle placed(scene.model.obstacles[0], scene.state.time);
    Index stopped = 0;
    for (Index v = 0; v < scene.model.mass.size(); ++v) {
      const Vec3 place = scene.state.x.segment<3>(3 * v),
                 off = scene.state.v.segment<3>(3 * v) - placed.velocity(place);
      stopped += std::abs(placed.distance(place)) < 1e-9 &&
                 std::abs(placed.distance_jet(place).gradient.dot(off)) < 1e-12;
    }
    EXPECT_EQ(stopped, report.contacts.count) << i;
    held += stopped;
  }
  EXPECT_GT(held, 30);
}

TEST(Stages, WithConstraintsMeetTheSameMinimaByEverySolver) {
  ContactScene scene;
  scene.add(cube(2), at({0, 0.62, 0}, {0.1, 0.2, 0}), {.young = 3e4, .velocity = {0.5, -3, 0}});
  scene.add(half_space(Vec3(0.2, 1, 0).normalized()));
  scene.finish({.gravity = kGravity});
  const State before = scene.state;
  const auto after = [&](const char* name, const std::string& method) {
    SolverOptions options = contact_solver(1e-10, method);
    options.max_iterations = 20000;
    State state = before;
    const auto scheme = make_joint_scheme({.name = name}, scene.model, options);
    Index contacts = 0;
    for (int i = 0; i < 4; ++i) {
      const StepReport report = scheme->step(state, 1 / 24.0);
      EXPECT_TRUE(is_converged(report.outcome.status)) << method << ", step " << i;
      contacts += report.contacts.count;
    }
    EXPECT_GT(contacts, 5) << method;
    return state;
  };
  for (const char* name : {"backward-euler", "sdirk2", "tr-bdf2"}) {
    const State expected = after(name, "newton-cg");
    for (const SolverMethod& method : solver_methods()) {
      // The first refuses constraints; root finding sticks where they begin to hold.
      if (method.name == "local-global" || method.name == "newton-residual") continue;
      const State state = after(name, std::string(method.name));
      EXPECT_LT((state.x - expected.x).lpNorm<Eigen::Infinity>(), 1e-8) << method.name << " in " << name;
      EXPECT_LT((state.v - expected.v).lpNorm<Eigen::Infinity>(), 1e-6) << method.name << " in " << name;
    }
  }
}

TEST(Schemes, ThatDoNotEndWithAStageRefuseToHoldBodies) {
  ContactScene scene;
  scene.add(cube(1), at({0, 2, 0}), {});
  scene.add(half_space(Vec3::UnitY()));
  scene.finish({});
  EXPECT_EQ(holding_schemes(false).size(), 9u);
  for (const std::string& name : holding_schemes(false))
    EXPECT_ERROR(InputError, "cannot hold bodies outside of obstacles",
                 make_joint_scheme({.name = name}, scene.model, {}))
        << name;
}

/// What making the scheme alone complains of; empty where it does not.
std::string refusal(const std::string& name, const Model& model) {
  const SchemeOptions options{
      .name = name, .tableau = name == "runge-kutta" ? std::optional(find_tableau("sdirk2")) : std::nullopt};
  try {
    make_joint_scheme(options, model, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Schemes, SeeToContactProgramsThemselves) {
  for (const SchemeKind& kind : scheme_kinds()) {
    if (kind.name == "runge-kutta" || moves_springs({.name = std::string(kind.name)})) continue;
    ContactScene scene;
    scene.add(cube(1), at({0, 0.51, 0}), {.velocity = {0, -2, 0}});
    Obstacle plane = half_space(Vec3::UnitY());
    plane.way = ContactWay::program;
    scene.add(std::move(plane));
    scene.finish({});
    const auto scheme = make_joint_scheme({.name = std::string(kind.name)}, scene.model, contact_solver());
    Index touched = 0;
    for (int i = 0; i < 20; ++i) touched += scheme->step(scene.state, 0.002).contacts.count;
    EXPECT_GT(touched, 0) << kind.name;
    EXPECT_GT(scene.lowest(), -1e-3) << kind.name;
  }
}

TEST(Schemes, RefuseSpringsWhereTheyTakeOtherForces) {
  ContactScene scene;
  scene.add(cube(1), at({0, 2, 0}), {});
  Obstacle plane = half_space(Vec3::UnitY());
  plane.way = ContactWay::springs;
  scene.add(std::move(plane));
  scene.finish({});
  for (const SchemeKind& kind : scheme_kinds()) {
    const std::string name(kind.name), said = refusal(name, scene.model);
    const bool takes = name == "runge-kutta" || solves_every_stage({.name = name});
    EXPECT_EQ(said, takes ? "" : finds_no_springs(name)) << name;
  }
}

TEST(Schemes, BounceOffPenalties) {
  for (const SchemeKind& kind : scheme_kinds()) {
    if (!kind.implicit || kind.name == "runge-kutta") continue;
    ContactScene scene;
    scene.add(ball(0.5, 0.3), at({0, 0.6, 0}), {.velocity = {0, -2, 0}});
    Obstacle plane = half_space(Vec3::UnitY());
    plane.way = ContactWay::penalty;
    scene.add(std::move(plane));
    scene.finish({});
    const auto scheme = make_joint_scheme({.name = std::string(kind.name)}, scene.model, contact_solver());
    const double start = energies_of(scene.model, scene.state).total();
    for (int i = 0; i < 100; ++i) {
      const StepReport report = scheme->step(scene.state, 1 / 240.0);
      ASSERT_TRUE(is_converged(report.outcome.status)) << kind.name;
      ASSERT_LT(report.energies.total(), 1.02 * start) << kind.name << " at step " << i;
    }
    EXPECT_GT(scene.mean_velocity().y(), 0.5) << kind.name;
  }
}

}  // namespace
}  // namespace pliant::scheme_contact_test
