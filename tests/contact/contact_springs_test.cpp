#include "pliant/contact/contact_springs.hpp"

#include "contact/obstacles.hpp"
#include "derivative_checker.hpp"
#include "pliant/potential/capabilities.hpp"

namespace pliant::contact_springs_test {
namespace {

using testing::check_derivative;
using testing::obstacle;

constexpr double kStiffness = 200, kRate = 30;

/// Springs of one obstacle against vertices that come from `before`, one step of 1/30 s ago.
struct Pushed {
  std::vector<Obstacle> obstacles;
  std::optional<ContactSprings> springs;
  Vector gradient;
  Renewal renewal;

  Pushed(ShapePointer shape, const Vector& before, const Vector& x) {
    obstacles.push_back(obstacle(std::move(shape), ContactWay::springs));
    springs.emplace(obstacles, Vector::Constant(x.size() / 3, kStiffness));
    Stage stage;
    stage.c_v = kRate;
    stage.x_v = before;
    springs->begin_stage(stage);
    look_at(x);
  }
  void look_at(const Vector& x) {
    gradient = Vector::Zero(x.size());
    renewal = springs->begin_iteration(x, gradient);
  }
  double energy(const Vector& x) const {
    Vector energies(springs->contributions());
    springs->evaluate(x, {energies.data(), static_cast<size_t>(energies.size())}, nullptr);
    return energies.sum();
  }
  Vector slope(const Vector& x) const {
    Vector energies(springs->contributions()), g = Vector::Zero(x.size());
    springs->evaluate(x, {energies.data(), static_cast<size_t>(energies.size())}, &g);
    return g;
  }
};

TEST(ContactSprings, PushToThePlaneThatTouchesTheSurface) {
  const Vec3 x(0.3, -0.1, 0.2), before(0.3, 0.1, 0.2);
  const Pushed pushed(make_half_space(Vec3::UnitY()), before, x);
  EXPECT_NEAR(pushed.energy(x), 0.5 * kStiffness * 0.01, 1e-12);
  EXPECT_LT((pushed.slope(x) - Vector(Vec3(0, -0.1 * kStiffness, 0))).norm(), 1e-12);
  EXPECT_EQ(pushed.gradient, pushed.slope(x)) << "the gradient is brought up to date";
}

TEST(ContactSprings, HaveTheDerivativesOfTheirEnergy) {
  const Vec3 x(0.3, 0.2, -0.4), before(0.6, 0.5, -0.8), along = Vec3(1, -2, 0.5).normalized();
  const Pushed pushed(make_sphere(0.7), before, x);
  EXPECT_TRUE(check_derivative([&](double t) { return Vector::Constant(1, pushed.energy(x + t * along)); },
                               Vector::Constant(1, pushed.slope(x).dot(along))));
  BlockPattern pattern(1, {});
  BlockMatrix hessian(pattern);
  hessian.set_zero();
  pushed.springs->add_hessian(x, Definiteness::none, hessian);
  const Mat3 block = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(hessian.block(0));
  EXPECT_TRUE(check_derivative([&](double t) { return pushed.slope(x + t * along); }, block * along));
}

TEST(ContactSprings, LetGoWhatMovesAway) {
  const Vec3 x(0, -0.1, 0), deeper(0, -0.2, 0), outside(0, 0.1, 0);
  const ShapePointer ground = make_half_space(Vec3::UnitY());
  EXPECT_EQ(Pushed(ground, deeper, x).renewal.all, 0) << "on its way out";
  EXPECT_EQ(Pushed(ground, outside, x).renewal.all, 1) << "on its way in";
  EXPECT_EQ(Pushed(ground, deeper, outside).renewal.all, 0) << "not inside";
}

TEST(ContactSprings, SayWhichAreNew) {
  Vector before(6), x(6);
  before << 0, 0.1, 0, 1, 0.3, 0;
  x << 0, -0.1, 0, 1, 0.2, 0;
  Pushed pushed(make_half_space(Vec3::UnitY()), before, x);
  EXPECT_EQ(pushed.renewal.fresh, 1);
  x[4] = -0.01;
  pushed.gradient = pushed.slope(x);
  pushed.renewal = pushed.springs->begin_iteration(x, pushed.gradient);
  EXPECT_EQ(pushed.renewal.fresh, 1);
  EXPECT_EQ(pushed.renewal.all, 2);
  EXPECT_LT((pushed.gradient - pushed.slope(x)).norm(), 1e-12)
      << "what left is taken off, what came is added";
}

TEST(ContactSprings, StayOutOfTheConstantMatrix) {
  const Vec3 x(0, -0.1, 0);
  const Pushed pushed(make_half_space(Vec3::UnitY()), -x, x);
  const Potential& springs = *pushed.springs;
  EXPECT_EQ(dynamic_cast<const ConstantProxy*>(&springs), nullptr);
}

}  // namespace
}  // namespace pliant::contact_springs_test
