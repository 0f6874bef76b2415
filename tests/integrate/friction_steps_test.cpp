// Sliding and sticking in whole steps.
#include <numbers>

#include "integrate/contact_scenes.hpp"
#include "pliant/integrate/schemes.hpp"

namespace pliant::friction_steps_test {
namespace {

using testing::advance;
using testing::at;
using testing::contact_solver;
using testing::ContactScene;
using testing::half_space;

constexpr double kFriction = 0.3, kGravity = 9.81;

/// A small stiff block on the plane y = 0, which is steep by `slope` (rad) down along x.
void add_block(ContactScene& scene, double slope, double speed, ContactWay way = ContactWay::constraint) {
  scene.add(make_box({Vec3(0.2, 0.05, 0.2), {4, 1, 4}, 5}), at({0, 0.025, 0}),
            {.young = 1e7, .poisson = 0.3, .velocity = {speed, 0, 0}});
  Obstacle plane = half_space(Vec3::UnitY());
  plane.friction = kFriction;
  plane.way = way;
  scene.add(plane);
  scene.finish({.gravity = kGravity * Vec3(std::sin(slope), -std::cos(slope), 0)});
  scene.dt = 1 / 240.0;
}

TEST(Sliding, StopsWhereCoulombSays) {
  for (const ContactWay way : {ContactWay::constraint, ContactWay::penalty}) {
    ContactScene scene;
    add_block(scene, 0, 2, way);
    const double start = scene.center().x(), distance = 2 * 2 / (2 * kFriction * kGravity);
    advance(scene, 240, contact_solver(1e-6),
            [&](const StepReport& report) { EXPECT_LE(report.work.friction, 0); });
    EXPECT_NEAR(scene.center().x() - start, distance, 0.05 * distance) << name(way);
    EXPECT_LT(scene.mean_velocity().norm(), 1e-3) << name(way);
  }
}

TEST(Sliding, InAGrooveStopsByWhatBothOfItsSidesBear) {
  // Each side bears m g / (2 cos 30 degrees), also where their normals are 60 degrees apart, or 120.
  for (const double steep : {std::numbers::pi / 6, std::numbers::pi / 3}) {
    for (const std::string name : {"sdirk2", "tr-bdf2", "backward-euler"}) {
      Model model;
      State state;
      model.mass = Vector::Constant(1, 2);
      model.bodies.push_back({"point", TetMesh{{Vec3::Zero()}, {}}, 0});
      model.terms.push_back(
          {"", kGravitationalEnergy, std::make_unique<Gravity>(model.mass, Vec3(0, -kGravity, 0))});
      for (const double side : {-1, 1}) {
        model.obstacles.push_back(half_space(Vec3(side * std::sin(steep), std::cos(steep), 0)));
        model.obstacles.back().friction = kFriction;
      }
      testing::add_contacts(model);
      model.finish();
      model.diameter = 1;
      state.x = Vec3::Zero();
      state.v = Vec3(0, 0, 2);
      const double distance = 2 * 2 * std::cos(steep) / (2 * kFriction * kGravity);
      const auto scheme = make_joint_scheme({.name = name}, model, contact_solver(1e-9));
      for (int i = 0; i < 400; ++i)
        ASSERT_TRUE(is_converged(scheme->step(state, 1 / 480.0).outcome.status)) << name << ", step " << i;
      EXPECT_NEAR(state.x[2], distance, 0.02 * distance) << name << ", " << steep;
      EXPECT_LT(state.v.norm(), 1e-6) << name << ", " << steep;
    }
  }
}

TEST(Incline, BelowTheFrictionAngleCreepsNoFasterThanWhatTouchesCanStop) {
  // After a step friction takes the velocity of the vertices that touch, and no more (gast-2014,
  // section 5.3). The rest keeps its own, which comes to an end where that share of it is what gravity adds
  // in a step.
  const double slope = 0.8 * std::atan(kFriction);
  for (const double dt : {1 / 240.0, 1 / 480.0}) {
    ContactScene scene;
    add_block(scene, slope, 0);
    scene.dt = dt;
    double touching = 0;
    for (Index i = 0; i < scene.model.mass.size(); ++i)
      if (scene.state.x[3 * i + 1] < 1e-9) touching += scene.model.mass[i];
    advance(scene, 60, contact_solver(1e-6));
    const double start = scene.center().x();
    advance(scene, 60, contact_solver(1e-6));
    const double creep = (scene.center().x() - start) / (60 * dt);
    EXPECT_LT(creep, 1.05 * kGravity * std::sin(slope) * dt * scene.model.mass.sum() / touching);
  }
}

TEST(Incline, AboveTheFrictionAngleAcceleratesByWhatFrictionLeaves) {
  ContactScene scene;
  const double slope = 2 * std::atan(kFriction);
  add_block(scene, slope, 0);
  advance(scene, 24, contact_solver(1e-6));
  const double start = scene.mean_velocity().x();
  advance(scene, 96, contact_solver(1e-6));
  const double expected = kGravity * (std::sin(slope) - kFriction * std::cos(slope));
  EXPECT_NEAR((scene.mean_velocity().x() - start) / (96 * scene.dt), expected, 0.05 * expected);
}

TEST(Friction, NeverAddsEnergyWhereObstaclesRest) {
  for (const ContactWay way : {ContactWay::constraint, ContactWay::penalty}) {
    ContactScene scene;
    scene.add(testing::cube(2), at({0, 1.2, 0}, {0.4, 0.3, 0.5}), {.young = 3e4, .velocity = {3, -4, 1}});
    Obstacle plane = half_space(Vec3::UnitY());
    plane.friction = 0.6;
    plane.way = way;
    scene.add(plane);
    scene.finish({.gravity = Vec3(0, -kGravity, 0)});
    double sum = 0;
    advance(scene, 48, contact_solver(1e-6), [&](const StepReport& report) {
      EXPECT_LE(report.work.friction, 0);
      sum += report.work.friction;
    });
    EXPECT_LT(sum, -1) << name(way);
  }
}

TEST(Friction, OfAMovingObstacleDragsABodyAlong) {
  ContactScene scene;
  scene.add(make_box({Vec3(0.2, 0.05, 0.2), {4, 1, 4}, 5}), at({0, 0.025, 0}),
            {.young = 1e6, .poisson = 0.3});
  Obstacle belt = half_space(Vec3::UnitY());
  belt.friction = kFriction;
  belt.motion.constant_velocity = Vec3(0.5, 0, 0);
  scene.add(belt);
  scene.finish({.gravity = Vec3(0, -kGravity, 0)});
  scene.dt = 1 / 240.0;
  double work = 0;
  advance(scene, 120, contact_solver(1e-6), [&](const StepReport& report) { work += report.work.friction; });
  EXPECT_NEAR(scene.mean_velocity().x(), 0.5, 5e-3);
  EXPECT_GT(work, 0);
}

}  // namespace
}  // namespace pliant::friction_steps_test
