// Whole steps against obstacles.
#include "integrate/contact_scenes.hpp"

namespace pliant::obstacle_steps_test {
namespace {

using testing::advance;
using testing::at;
using testing::ball;
using testing::contact_solver;
using testing::ContactScene;
using testing::cube;
using testing::half_space;

const Vec3 kGravity(0, -9.81, 0);

Obstacle ground(ContactWay way) {
  Obstacle obstacle = half_space(Vec3::UnitY());
  obstacle.way = way;
  return obstacle;
}

/// A ball of 1 m that hits the ground at 15 m/s (gast-2014, figure 10).
void add_hard_drop(ContactScene& scene, ContactWay way) {
  scene.add(ball(0.5, 0.25), at({0, 0.7, 0}), {.young = 1e5, .poisson = 0.45, .velocity = {0, -15, 0}});
  scene.add(ground(way));
  scene.finish({.gravity = kGravity});
}

TEST(HardDrop, OntoAConstraintNeitherEntersTheGroundNorInverts) {
  ContactScene scene;
  add_hard_drop(scene, ContactWay::constraint);
  bool touched = false;
  advance(scene, 40, contact_solver(1e-3), [&](const StepReport& report) {
    EXPECT_GE(report.contacts.smallest_gap, -1e-9);
    EXPECT_EQ(report.contacts.smallest_gap, scene.lowest());
    EXPECT_EQ(scene.model.inverted_elements(scene.state.x), 0);
    touched |= report.contacts.count > 0;
  });
  EXPECT_TRUE(touched);
}

TEST(HardDrop, ByPostProcessingEndsElsewhere) {
  ContactScene constrained, processed;
  add_hard_drop(constrained, ContactWay::constraint);
  add_hard_drop(processed, ContactWay::post_process);
  Index inverted = 0;
  advance(constrained, 12);
  advance(processed, 12, contact_solver(), [&](const StepReport& report) {
    EXPECT_GE(report.contacts.smallest_gap, -1e-9);
    inverted += processed.model.inverted_elements(processed.state.x);
  });
  EXPECT_GT(inverted, 0) << "as in the paper";
  EXPECT_GT(std::abs(constrained.center().y() - processed.center().y()), 0.05);
}

TEST(Rest, OnAPenaltyComesCloserToThatOnAConstraintTheStifferItIs) {
  const auto height = [](ContactWay way, double stiffness) {
    ContactScene scene;
    scene.add(cube(2), at({0, 0.5, 0}), {});
    Obstacle obstacle = ground(way);
    obstacle.stiffness = stiffness;
    scene.add(obstacle);
    scene.finish({.gravity = kGravity});
    scene.dt = 10;  // so long that every step ends at rest
    advance(scene, 4);
    EXPECT_LT(scene.state.v.norm(), 1e-6);
    return scene.center().y();
  };
  const double on_constraint = height(ContactWay::constraint, 0);
  double last = std::numeric_limits<double>::infinity();
  for (const double stiffness : {1e6, 1e7, 1e8, 1e9}) {
    const double below = on_constraint - height(ContactWay::penalty, stiffness);
    EXPECT_GT(below, 0) << stiffness;
    // Depths go with the root of the stiffness.
    EXPECT_LT(below, 0.4 * last) << stiffness;
    last = below;
  }
}

class Bounce : public ::testing::TestWithParam<ContactWay> {};

TEST_P(Bounce, NeverCreatesEnergyWhateverThePhaseOfTheImpact) {
  for (int phase = 0; phase < 100; ++phase) {
    ContactScene scene;
    scene.add(cube(1), at({0, 0.9 + 0.004 * phase, 0}, {0.3, 0.1 * phase, 0.7}),
              {.young = 2e4, .velocity = {0.5, -6, 0}});
    scene.add(ground(GetParam()));
    scene.finish({.gravity = kGravity});
    double last = energies_of(scene.model, scene.state).total();
    const double start = last;
    bool touched = false;
    advance(scene, 30, contact_solver(), [&](const StepReport& report) {
      touched |= report.contacts.count > 0;
      EXPECT_LE(report.energies.total(), last + 1e-9 * start) << "phase " << phase;
      last = report.energies.total();
    });
    EXPECT_TRUE(touched);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, Bounce, ::testing::Values(ContactWay::constraint, ContactWay::penalty),
                         [](const auto& parameter) { return std::string(name(parameter.param)); });

TEST(Rest, InAWedgeOfTwoPlanesIsFeasible) {
  ContactScene scene;
  scene.add(cube(2), at({0.1, 1.2, 0}, {0, 0, M_PI / 4}), {});
  scene.add(half_space({std::sin(0.6), std::cos(0.6), 0}));
  scene.add(half_space({-std::sin(0.6), std::cos(0.6), 0}));
  scene.finish({.gravity = kGravity, .mass_damping = 2});
  double gap = 0;
  advance(scene, 150, contact_solver(1e-6), [&](const StepReport& report) {
    EXPECT_GE(report.contacts.smallest_gap, -1e-9);
    gap = report.contacts.smallest_gap;
  });
  EXPECT_LT(scene.state.v.lpNorm<Eigen::Infinity>(), 1e-2);
  EXPECT_LT(gap, 1e-9);
}

/// Pulls a cube into the corner of obstacles at the origin; it must come to rest there and touch all faces.
void expect_rest_in_corner(const std::vector<Obstacle>& obstacles) {
  ContactScene scene;
  scene.add(cube(2), at({0.8, 0.7, 0.75}, {0.1, -0.2, 0.1}), {});
  for (const Obstacle& obstacle : obstacles) scene.add(obstacle);
  scene.finish({.gravity = Vec3(-6, -7, -5), .mass_damping = 2});
  advance(scene, 80, contact_solver(1e-6),
          [&](const StepReport& report) { EXPECT_GE(report.contacts.smallest_gap, -1e-9); });
  EXPECT_LT(scene.state.v.lpNorm<Eigen::Infinity>(), 1e-2);
  for (int axis = 0; axis < 3; ++axis) {
    double lowest = 1;
    for (Index i = axis; i < scene.state.x.size(); i += 3) lowest = std::min(lowest, scene.state.x[i]);
    EXPECT_NEAR(lowest, 0, 1e-9) << axis;
  }
}

TEST(Rest, InACornerOfThreePlanesIsFeasibleAndTouchesThemAll) {
  expect_rest_in_corner({half_space(Vec3::UnitX()), half_space(Vec3::UnitY()), half_space(Vec3::UnitZ())});
}

TEST(Rest, InACornerOfAHollowBoxIsFeasibleAndTouchesItsFaces) {
  Obstacle box;
  box.shape = moved(hollow(make_box_shape(Vec3::Constant(5), 0), 1), 1, Eigen::Quaterniond::Identity(),
                    Vec3::Constant(1.5));
  expect_rest_in_corner({box});
}

TEST(MovingObstacle, TakesAFreeBodyAlongAndDoesWork) {
  for (const ContactWay way : {ContactWay::constraint, ContactWay::penalty}) {
    ContactScene scene;
    scene.add(cube(2), at({0, 0, 0}), {});
    Obstacle wall;
    wall.shape = moved(make_box_shape({1, 4, 4}, 0), 1, Eigen::Quaterniond::Identity(), {-1.05, 0, 0});
    wall.motion.constant_velocity = Vec3(1, 0, 0);
    wall.way = way;
    scene.add(wall);
    scene.finish({});
    double work = 0;
    advance(scene, 24, contact_solver(), [&](const StepReport& report) {
      EXPECT_GE(report.work.contact, -1e-9);
      work += report.work.contact;
      EXPECT_GE(report.contacts.smallest_gap, way == ContactWay::constraint ? -1e-9 : -0.1);
    });
    EXPECT_GT(scene.mean_velocity().x(), 0.99) << name(way);
    EXPECT_GT(work, 0.5 * scene.model.mass.sum() * 0.99) << name(way);
  }
}

}  // namespace
}  // namespace pliant::obstacle_steps_test
