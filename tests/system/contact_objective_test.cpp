// The objective of a stage with contacts in it.
#include "derivative_checker.hpp"
#include "integrate/contact_scenes.hpp"
#include "minimize/on_host.hpp"
#include "pliant/system/stage_objective.hpp"

namespace pliant::contact_objective_test {
namespace {

using testing::at;
using testing::check_derivative;
using testing::ContactScene;
using testing::cube;
using testing::random_vector;

/// Two cubes that overlap each other and a ball below, not begun to move apart yet.
struct Pressed {
  ContactScene scene;
  std::optional<StageObjective> objective;
  Vector x;

  explicit Pressed(ContactWay way) {
    scene.add(cube(2), at({0, 0.95, 0}, {0.1, 0.2, 0}), {.young = 3e4, .velocity = {0, -1, 0}});
    scene.add(cube(2), at({0.2, 1.9, 0.1}, {0.05, 0, 0.1}), {.young = 3e4, .velocity = {0, -3, 0}});
    Obstacle below;
    below.shape = make_sphere(0.55);
    below.way = way;
    scene.add(below);
    scene.finish({.gravity = Vec3(0, -9.81, 0), .self_collision = true});
    objective.emplace(scene.model, ResidualNorm::velocity);
    objective->begin(BackwardEuler(scene.model, {}).first_stage(scene.state, scene.dt));
    x = scene.state.x + 0.01 * random_vector(scene.state.x.size(), 2);
    objective->make_feasible(x);
  }
  double contact_energy(const Vector& y) const {
    double sum = 0;
    for (const auto& term : objective->contact_terms()) sum += term->stored(y, scene.dt);
    return sum;
  }
};

TEST(ContactObjective, HasTheDerivativesThatDifferencesGive) {
  for (const double stiffening : {1.0, 100.0}) {
    Pressed pressed(ContactWay::penalty);
    StageObjective& f = *pressed.objective;
    ASSERT_GT(pressed.contact_energy(pressed.x), 1);
    f.stiffen(stiffening);
    const Vector along = random_vector(pressed.x.size(), 4);
    Vector g, product;
    f.evaluate(pressed.x, &g);
    f.set_reference();
    const auto value = [&](double t) {
      return Vector(Vector::Constant(1, f.evaluate(pressed.x + t * along, nullptr)));
    };
    EXPECT_TRUE(check_derivative(value, Vector::Constant(1, g.dot(along)), {.step = 1e-3}));
    f.hessian(pressed.x, Definiteness::none).multiply(along, product);
    const auto gradient = [&](double t) {
      Vector there;
      f.evaluate(pressed.x + t * along, &there);
      return there;
    };
    EXPECT_TRUE(check_derivative(gradient, product, {.step = 1e-4}));
  }
}

TEST(ContactObjective, HasTheSlopeAndSecondDerivativeOfTheProjectedPathOverConstraints) {
  Pressed pressed(ContactWay::constraint);
  StageObjective& f = *pressed.objective;
  Vector g;
  f.evaluate(pressed.x, &g);
  f.set_reference();
  testing::as_field(g, [&](Field& at_x) { return f.begin_iteration(Field(pressed.x), at_x); });
  ASSERT_GE(f.feasible_places()->active_vertices(), 1);
  // Without a part in the directions that active vertices have lost.
  Vector along = random_vector(pressed.x.size(), 4);
  const BlockMatrix& hessian = f.hessian(pressed.x, Definiteness::none);
  for (const Restriction& one : hessian.restrictions())
    along.segment<3>(3 * one.vertex) = (one.free * along.segment<3>(3 * one.vertex)).eval();
  Vector product;
  const double second = hessian.multiply(along, product);
  const auto value = [&](double t) {
    Vector y = pressed.x + t * along;
    f.project(y);
    return Vector(Vector::Constant(1, f.evaluate(y, nullptr)));
  };
  const auto slope = [&](double t) {
    Vector y = pressed.x + t * along, there;
    f.project(y);
    f.evaluate(y, &there);
    return Vector(Vector::Constant(1, f.slope(Field(there), Field(along))));
  };
  EXPECT_NEAR(slope(0)[0], g.dot(along), 1e-9 * std::abs(slope(0)[0]));
  EXPECT_TRUE(check_derivative(value, slope(0), {.step = 1e-3}));
  EXPECT_TRUE(check_derivative(slope, Vector::Constant(1, second), {.step = 1e-3}));
}

TEST(ContactObjective, LeavesCollisionsOutWhereTheRestSaysEnough) {
  Pressed pressed(ContactWay::penalty);
  StageObjective& f = *pressed.objective;
  f.evaluate(pressed.x, nullptr);
  f.set_reference();
  const Vector far = pressed.x + 0.05 * random_vector(pressed.x.size(), 9);
  const double whole = f.evaluate(far, nullptr);
  ASSERT_GT(whole, 0);
  const double of_collisions = f.contact_terms().back()->stored(far, 0);
  ASSERT_GT(of_collisions, 0.1);
  const auto evaluate = [&](double enough) { return f.evaluate(Field(far), nullptr, enough).difference; };
  EXPECT_NEAR(evaluate(whole - 2 * of_collisions), whole - of_collisions, 1e-9 * whole);
  EXPECT_EQ(evaluate(whole - 0.5 * of_collisions), whole) << "the rest alone does not say enough";
  EXPECT_EQ(evaluate(std::numeric_limits<double>::infinity()), whole);
}

}  // namespace
}  // namespace pliant::contact_objective_test
