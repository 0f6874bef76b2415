// Bodies thrown at obstacles of all kinds, so fast that a step is as long as these are thick.
#include <random>

#include "integrate/contact_scenes.hpp"
#include "pliant/contact/gap.hpp"

namespace pliant::random_contacts_test {
namespace {

using testing::at;
using testing::ball;
using testing::contact_solver;
using testing::ContactScene;
using testing::cube;

std::vector<ShapePointer> kinds() {
  return {make_half_space({0.2, 1, 0.1}),
          make_sphere(0.5),
          make_box_shape({1.2, 0.6, 0.9}, 0),
          make_box_shape({1.2, 0.6, 0.9}, 0.1),
          make_ellipsoid({0.8, 0.4, 0.6}),
          make_torus(0.5, 0.2),
          make_capsule(0.8, 0.25),
          make_cylinder(0.5, 0.8),
          make_cone(0.7, 0.1, 0.9),
          make_plate({2, 0.3, 2}, 0.4),
          make_bowl(1, 0.2, 0)};
}

/// A body thrown at two obstacles that are turned at random and rest.
void add_throw(ContactScene& scene, unsigned seed, ContactWay way) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto vector = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  const std::vector<ShapePointer> shapes = kinds();
  const bool round = seed % 2;
  scene.add(round ? ball(0.4, 0.25) : cube(2), at({0, 2.2, 0}, vector()),
            {.young = std::pow(10, 4 + seed % 3), .velocity = 0.5 * vector() - Vec3(0, 10, 0)});
  for (int k = 0; k < 2; ++k) {
    Obstacle obstacle;
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.4 * normal(random), vector().normalized()));
    const Vec3 place =
        Vec3(0.3 * normal(random), -0.2, 0.3 * normal(random)) - (k == 1 ? Vec3(0, 1, 0) : Vec3(0, 0, 0));
    obstacle.shape = moved(shapes[(seed + 3 * k) % shapes.size()], 1, turn, place);
    obstacle.way = way;
    obstacle.friction = 0.2 * k;
    scene.add(obstacle);
  }
  scene.finish({.gravity = Vec3(0, -9.81, 0), .self_collision = false});
}

class Thrown : public ::testing::TestWithParam<ContactWay> {};

TEST_P(Thrown, BodiesConvergeAndStayOutside) {
  Index contacts = 0;
  for (unsigned seed = 0; seed < 66; ++seed) {
    ContactScene scene;
    add_throw(scene, seed, GetParam());
    BackwardEuler scheme(scene.model, contact_solver(1e-5));
    constexpr double kFall = 5;  // m, at most
    const double most = scene.model.mass.sum() * (0.5 * scene.state.v.head<3>().squaredNorm() + 9.81 * kFall);
    const double stiffness = 10 * std::pow(10, 4 + seed % 3);
    for (int i = 0; i < 16; ++i) {
      const StepReport r = scheme.step(scene.state, scene.dt);
      EXPECT_TRUE(is_converged(r.outcome.status))
          << name(r.outcome.status) << ", seed " << seed << ", step " << i;
      EXPECT_LE(r.work.friction, 0) << "seed " << seed << ", step " << i;
      // A penalty gives way until it has taken up all energy that the body had.
      const double least = GetParam() == ContactWay::constraint ? -1e-9 : -std::cbrt(most / stiffness);
      EXPECT_GT(smallest_gap(scene.model.obstacles, scene.state.time, scene.state.x), least)
          << "seed " << seed << ", step " << i;
      contacts += r.contacts.count;
    }
  }
  EXPECT_GT(contacts, 2000);
}

TEST_P(Thrown, BodiesGainNoEnergyOnceStepsAreShort) {
  // The force at the end of a step does work all along it. Around a curved obstacle, or through a thin one,
  // that can be more than what the body had: by the square of the way, so that it is gone with shorter steps.
  const auto gain = [](unsigned seed, int cuts) {
    ContactScene scene;
    add_throw(scene, seed, GetParam());
    scene.dt /= cuts;
    const Energies start = energies_of(scene.model, scene.state);
    double most = 0;
    BackwardEuler scheme(scene.model, contact_solver(1e-5));
    for (int i = 0; i < 10 * cuts; ++i)
      most = std::max(most, scheme.step(scene.state, scene.dt).energies.total() - start.total());
    return most / start.kinetic;
  };
  for (const unsigned seed : {8u, 35u, 47u}) EXPECT_LT(gain(seed, 20), 1e-3) << "seed " << seed;
}

INSTANTIATE_TEST_SUITE_P(Ways, Thrown, ::testing::Values(ContactWay::constraint, ContactWay::penalty),
                         [](const auto& parameter) { return std::string(name(parameter.param)); });

}  // namespace
}  // namespace pliant::random_contacts_test
