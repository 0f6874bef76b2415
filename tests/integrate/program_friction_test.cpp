// Friction of contact programs in whole steps.
#include <numbers>

#include "integrate/contact_programs.hpp"

namespace pliant::program_friction_test {
namespace {

using testing::at;
using testing::ContactScene;
using testing::corrected;
using testing::cube;
using testing::let_bodies_touch;
using testing::predictor;

const Vec3 kGravity(0, -9.81, 0);

Obstacle ground(double friction) { return testing::program_ground(friction); }

Vec3 momentum_of(const ContactScene& scene, const Body& body, const Vector& v) {
  Vec3 sum = Vec3::Zero();
  for (Index i = body.first_vertex; i < body.first_vertex + std::ssize(body.rest.vertices); ++i)
    sum += scene.model.mass[i] * v.segment<3>(3 * i);
  return sum;
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

/// Steps a scene; the impulses on the body along the normal and across it must be within the cone of
/// friction, as those at each contact are. Returns how many steps had it slide.
int expect_within_the_cone(ContactScene& scene, const Body& body, const Vec3& normal, double friction,
                           int steps, double dt) {
  const auto scheme = corrected(scene.model), alone = predictor(scene.model, "sdirk2");
  int sliding = 0, touching = 0;
  for (int i = 0; i < steps; ++i) {
    State free = scene.state;
    alone->step(free, dt);
    const StepReport report = scheme->step(scene.state, dt);
    EXPECT_TRUE(is_converged(report.outcome.status)) << i;
    EXPECT_LT(report.contacts.correction_error, 1e-2) << i;
    EXPECT_LE(report.work.friction, 1e-12) << i;
    if (report.contacts.count == 0) continue;
    const Vec3 impulse = momentum_of(scene, body, scene.state.v) - momentum_of(scene, body, free.v);
    const double pressed = impulse.dot(normal), rubbed = (impulse - pressed * normal).norm();
    EXPECT_LE(rubbed, friction * pressed + 1e-9 * impulse.norm()) << i;
    sliding += rubbed > 0.99 * friction * pressed && pressed > 0;
    ++touching;
  }
  EXPECT_GT(touching, steps / 4);
  return sliding;
}

TEST(ProgramFriction, OnAPlaneStaysWithinTheConeWhileABodyTurnsAndSlides) {
  // It spins while it slides, so that every vertex slides in another direction, and in another one each step.
  ContactScene scene;
  scene.add(cube(2), at({0, 0.5, 0}), {.young = 1e6, .velocity = {2, 0, 0.5}});
  scene.add(ground(0.3));
  scene.finish({.gravity = kGravity});
  for (Index i = 0; i < scene.state.v.size(); i += 3)
    scene.state.v.segment<3>(i) += Vec3(0, 6, 0).cross(Vec3(scene.state.x.segment<3>(i)));
  expect_within_the_cone(scene, scene.model.bodies[0], Vec3::UnitY(), 0.3, 60, 0.005);
}

TEST(ProgramFriction, OnAPlaneIsAtTheConeWhereABodySlides) {
  ContactScene scene;
  scene.add(cube(2), at({0, 0.5, 0}), {.young = 1e6, .velocity = {3, 0, 1}});
  scene.add(ground(0.3));
  scene.finish({.gravity = kGravity});
  EXPECT_GT(expect_within_the_cone(scene, scene.model.bodies[0], Vec3::UnitY(), 0.3, 40, 0.005), 10);
}

TEST(ContactProgram, FrictionHoldsABlockOnATurntableAtItsPlace) {
  // Had friction places follow the velocity at the end of a step, the block would come closer to the axis by
  // half the square of a step's turn times the distance, each step: 11 mm here.
  const double spin = 3, distance = 0.5, dt = 0.01;
  ContactScene scene;
  scene.add(make_box({Vec3(0.2, 0.1, 0.2), {2, 1, 2}, 5}), at({distance, 0.05, 0}), {.young = 1e6});
  Obstacle table = ground(1);
  table.motion.constant_spin = spin;
  scene.add(table);
  scene.finish({.gravity = kGravity});
  for (Index i = 0; i < scene.state.v.size(); i += 3)
    scene.state.v.segment<3>(i) = Vec3(0, spin, 0).cross(Vec3(scene.state.x.segment<3>(i)));
  const auto scheme = corrected(scene.model);
  for (int i = 0; i < 50; ++i) scheme->step(scene.state, dt);
  const double turned = 50 * dt * spin;
  const Vec3 there(distance * std::cos(turned), 0.05, -distance * std::sin(turned));
  EXPECT_LT((scene.center() - there).norm(), 1e-3);
}

TEST(ProgramFriction, OfBodiesWithEachOtherStaysWithinTheCone) {
  // A block slides along another one, whose upper side is held level.
  ContactScene scene;
  scene.add(cube(2), at({0, 0, 0}), {.young = 1e6});
  scene.add(make_box({Vec3(0.4, 0.4, 0.4), {2, 2, 2}, 5}), at({0.03, 0.699, 0.02}),
            {.young = 1e6, .velocity = {1.5, -1, 0.4}});
  scene.finish({.gravity = kGravity});
  Script held{.vertices = {}, .start = scene.model.bodies[0].rest.vertices, .motion = {}};
  for (int i = 0; i < std::ssize(held.start); ++i) held.vertices.push_back(i);
  scene.model.scripts.push_back(held);
  let_bodies_touch(scene, 0.4);
  EXPECT_GT(expect_within_the_cone(scene, scene.model.bodies[1], Vec3::UnitY(), 0.4, 40, 0.005), 3);
}

TEST(ProgramFriction, OfBodiesWithEachOtherKeepsTheirMomentumAndGivesNoEnergy) {
  ContactScene scene;
  scene.add(cube(2), at({-0.6, 0, 0}), {.velocity = {2, 0.5, 0}});
  scene.add(cube(2), at({0.6, 0.13, 0.07}, {0.1, 0.2, 0}), {.velocity = {-1, -0.5, 0.3}});
  scene.finish({});
  let_bodies_touch(scene, 0.5);
  const auto scheme = corrected(scene.model);
  const Vec3 before = scene.momentum();
  const double start = energies_of(scene.model, scene.state).total();
  Index touched = 0;
  double rubbed = 0;
  for (int i = 0; i < 60; ++i) {
    const StepReport report = scheme->step(scene.state, 0.01);
    touched += report.contacts.count;
    rubbed += report.work.friction;
    EXPECT_LE(report.work.friction, 1e-12) << i;
    EXPECT_LE(report.energies.total(), (1 + 1e-9) * start) << i;
  }
  EXPECT_GT(touched, 5);
  EXPECT_LT(rubbed, -1);
  EXPECT_LT((scene.momentum() - before).norm(), 1e-6 * 3000);
}

}  // namespace
}  // namespace pliant::program_friction_test
