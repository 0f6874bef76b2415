#include "pliant/integrate/contact_program.hpp"

#include <numbers>

#include "integrate/contact_scenes.hpp"
#include "integrate/scenes.hpp"
#include "pliant/integrate/schemes.hpp"
#include "pliant/integrate/side_by_side.hpp"
#include "test_names.hpp"

namespace pliant {
namespace {

using testing::at;
using testing::ball;
using testing::contact_solver;
using testing::ContactScene;
using testing::cube;
using testing::half_space;

const Vec3 kGravity(0, -9.81, 0);

Obstacle ground(double friction = 0) {
  Obstacle plane = half_space(Vec3::UnitY());
  plane.way = ContactWay::program;
  plane.friction = friction;
  return plane;
}

std::unique_ptr<Scheme> predictor(const Model& model, const std::string& name) {
  return make_scheme(model,
                     [&](const Model& part) { return make_scheme({.name = name}, part, contact_solver()); });
}

std::unique_ptr<Scheme> corrected(const Model& model, const std::string& name = "sdirk2") {
  return std::make_unique<ContactProgram>(model, predictor(model, name), ContactProgram::Options{});
}

/// Bodies that touch each other do so in a program too.
void let_bodies_touch(ContactScene& scene, double friction = 0) {
  std::vector<SelfCollision::Collider> colliders;
  for (const Body& body : scene.model.bodies) colliders.push_back({body.rest, body.first_vertex});
  scene.model.program_contacts = std::make_unique<SelfCollision>(
      colliders, SelfCollision::Options{Vector::Constant(scene.model.mass.size(), 1e6), friction, false});
}

class Predicted : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Schemes, Predicted,
                         ::testing::Values("backward-euler", "implicit-midpoint", "sdirk2", "tr-bdf2-b",
                                           "bdf2", "ros3pl", "generalized-alpha"),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param); });

TEST_P(Predicted, BouncesWithoutGainingEnergyWhateverThePhaseOfTheImpact) {
  for (int phase = 0; phase < 100; phase += 5) {
    ContactScene scene;
    scene.add(cube(1), at({0, 0.9 + 0.004 * phase, 0}, {0.3, 0.1 * phase, 0.7}),
              {.young = 2e4, .velocity = {0.5, -6, 0}});
    scene.add(ground());
    scene.finish({.gravity = kGravity});
    const auto scheme = corrected(scene.model, GetParam());
    const double start = energies_of(scene.model, scene.state).total();
    bool touched = false;
    for (int i = 0; i < 80; ++i) {
      const StepReport report = scheme->step(scene.state, 1 / 96.0);
      ASSERT_TRUE(is_converged(report.outcome.status)) << "phase " << phase << ", step " << i;
      ASSERT_LE(report.energies.total(), (1 + 1e-9) * start) << "phase " << phase << ", step " << i;
      touched |= report.contacts.count > 0;
    }
    EXPECT_TRUE(touched);
    EXPECT_GT(scene.lowest(), -0.02);
  }
}

TEST(ContactProgram, LeavesBodiesThatTouchNothingAsPredictedToTheBit) {
  const auto make = [](ContactScene& scene) {
    scene.add(cube(1), at({0, 0.5, 0}), {.velocity = {0, -2, 0}});
    scene.add(cube(2), at({3, 5, 0}, {0.2, 0.4, 0}), {.velocity = {0, 1, 0.3}});
    scene.add(ground());
    scene.finish({.gravity = kGravity});
  };
  ContactScene with, without;
  make(with);
  make(without);
  const auto scheme = corrected(with.model), alone = predictor(without.model, "sdirk2");
  int touched = 0;
  for (int i = 0; i < 20; ++i) {
    touched += scheme->step(with.state, 0.01).contacts.count > 0;
    alone->step(without.state, 0.01);
  }
  EXPECT_GT(touched, 3);
  const Index first = 3 * Index{with.model.bodies[1].first_vertex};
  const Index rest = with.state.x.size() - first;
  EXPECT_EQ(with.state.x.tail(rest), without.state.x.tail(rest));
  EXPECT_EQ(with.state.v.tail(rest), without.state.v.tail(rest));
  EXPECT_NE(with.state.x.head(first), without.state.x.head(first));
  EXPECT_NE(with.state.v.head(first), without.state.v.head(first));
}

TEST(ContactProgram, RestsOnTheGround) {
  ContactScene scene;
  scene.add(cube(2), at({0, 0.55, 0}), {});
  scene.add(ground());
  scene.finish({.gravity = kGravity, .mass_damping = 4});
  const auto scheme = corrected(scene.model);
  for (int i = 0; i < 300; ++i) scheme->step(scene.state, 0.01);
  EXPECT_NEAR(scene.lowest(), 0, 1e-3);
  EXPECT_LT(scene.state.v.lpNorm<Eigen::Infinity>(), 1e-2);
}

TEST(ContactProgram, WorksOffADepthThatThereIs) {
  ContactScene scene;
  scene.add(cube(1), at({0, 0.4, 0}), {});
  scene.add(ground());
  scene.finish({.gravity = kGravity, .mass_damping = 2});
  const auto scheme = corrected(scene.model);
  double lowest = scene.lowest();
  EXPECT_NEAR(lowest, -0.1, 1e-9);
  for (int i = 0; i < 40; ++i) scheme->step(scene.state, 0.01);
  EXPECT_GT(scene.lowest(), -1e-3);
}

TEST(ContactProgram, StaysOutsideOfAPlatformThatStopsWithinAStep) {
  ContactScene scene;
  scene.add(cube(1), at({0, 0.5, 0}), {.young = 1e6});
  Obstacle platform = ground();
  platform.motion.keys = {{0, Vec3::Zero(), 0}, {0.255, Vec3(0, 0.2, 0), 0}};
  scene.add(platform);
  scene.finish({.gravity = kGravity});
  const auto scheme = corrected(scene.model);
  for (int i = 1; i <= 30; ++i) EXPECT_GT(scheme->step(scene.state, 0.01).contacts.smallest_gap, -1e-9) << i;
  EXPECT_GT(scene.lowest(), 0.2 - 1e-9);
}

TEST(ContactProgram, FailsWhereTheCorrectionTurnsElementsOver) {
  // The top is held, and a platform carries the bottom past it.
  testing::Cube cube({.cells = 1, .material = "neo-hookean"});
  Script top;
  for (int i = 0; i < 8; ++i) {
    const Vec3 place = cube.state.x.segment<3>(3 * Index{i});
    if (place.y() < 0) continue;
    top.vertices.push_back(i);
    top.start.push_back(place);
  }
  cube.model.scripts.push_back(top);
  Obstacle platform = ground();
  platform.motion.keys = {{0, Vec3(0, -0.5, 0), 0}, {0.1, Vec3(0, 0.7, 0), 0}};
  cube.model.obstacles.push_back(platform);
  const auto scheme = corrected(cube.model);
  const State before = cube.state;
  const StepReport report = scheme->step(cube.state, 0.1);
  EXPECT_EQ(name(report.outcome.status), "not-finite");
  EXPECT_EQ(cube.state.x, before.x);
  EXPECT_EQ(cube.state.v, Vector::Zero(before.v.size()));
  EXPECT_EQ(report.energies.total(), 0);
}

TEST(ContactProgram, HasNothingToSayWhereAllThatTouchesIsHeld) {
  // Two blocks that scripts push into each other would contradict any bound.
  ContactScene scene;
  scene.add(cube(1), at({0, 0, 0}), {});
  scene.add(cube(1), at({0.1, 1.2, 0.05}), {});
  scene.finish({.gravity = kGravity});
  for (const Body& body : scene.model.bodies) {
    Script script{.vertices = {}, .start = body.rest.vertices, .motion = {}};
    for (int i = 0; i < 8; ++i) script.vertices.push_back(body.first_vertex + i);
    if (body.first_vertex > 0) script.motion.keys = {{0, Vec3::Zero(), 0}, {1, Vec3(0, -0.6, 0), 0}};
    scene.model.scripts.push_back(std::move(script));
  }
  let_bodies_touch(scene);
  const auto scheme = corrected(scene.model);
  double overlap = 0;
  for (int i = 0; i < 100; ++i) {
    const StepReport report = scheme->step(scene.state, 0.01);
    EXPECT_TRUE(is_converged(report.outcome.status)) << i;
    EXPECT_EQ(report.contacts.count, 0);
    overlap = std::max(overlap, report.contacts.overlap);
  }
  EXPECT_GT(overlap, 0.05);
}

TEST(ContactProgram, KeepsTheMomentumOfBodiesThatCollide) {
  ContactScene scene;
  scene.add(cube(2), at({-0.6, 0, 0}), {.velocity = {2, 0, 0}});
  scene.add(cube(2), at({0.6, 0.13, 0.07}, {0.1, 0.2, 0}), {.velocity = {-1, 0, 0}});
  scene.finish({});
  let_bodies_touch(scene);
  const auto scheme = corrected(scene.model);
  const Vec3 before = scene.momentum();
  Index touched = 0;
  for (int i = 0; i < 60; ++i) {
    const StepReport report = scheme->step(scene.state, 0.01);
    touched += report.contacts.count;
    EXPECT_LT(report.contacts.overlap, 0.05);
  }
  EXPECT_GT(touched, 5);
  EXPECT_LT((scene.momentum() - before).norm(), 1e-6 * 3000);
  EXPECT_LT(scene.mean_velocity().x(), 0.6);
}

TEST(ContactProgram, FrictionStopsASlidingBlockAsCoulombSaysInAnyDirection) {
  for (const double angle : {0.0, 0.25 * std::numbers::pi, 1.0}) {
    const Vec3 along(std::cos(angle), 0, std::sin(angle));
    ContactScene scene;
    scene.add(cube(2), at({0, 0.5, 0}), {.young = 1e6, .velocity = 2 * along});
    scene.add(ground(0.4));
    scene.finish({.gravity = kGravity});
    const Vec3 before = scene.center();
    const auto scheme = corrected(scene.model);
    for (int i = 0; i < 150; ++i) scheme->step(scene.state, 0.005);
    const double expected = 2 * 2 / (2 * 0.4 * 9.81);
    EXPECT_NEAR((scene.center() - before).dot(along), expected, 0.05 * expected) << angle;
    EXPECT_LT(std::abs(scene.mean_velocity().dot(along)), 0.1);  // it still shakes
  }
}

TEST(ContactProgram, FrictionHoldsABlockOnASlope) {
  // Friction after a step cannot, whose vertices creep; here it acts through the whole body.
  const double angle = 0.3;
  ContactScene scene;
  scene.add(cube(2), at({0, 0.5, 0}), {.young = 1e6});
  scene.add(ground(0.5));
  scene.finish({.gravity = 9.81 * Vec3(std::sin(angle), -std::cos(angle), 0), .mass_damping = 1});
  const auto scheme = corrected(scene.model);
  for (int i = 0; i < 50; ++i) scheme->step(scene.state, 0.01);
  const double before = scene.center().x();
  for (int i = 0; i < 50; ++i) scheme->step(scene.state, 0.01);
  const double creeping = 9.81 * std::sin(angle) * 0.01 * 0.5;
  EXPECT_LT(std::abs(scene.center().x() - before), 0.1 * creeping);
}

}  // namespace
}  // namespace pliant
