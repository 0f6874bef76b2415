#include "pliant/contact/thin_collision.hpp"

#include <random>

#include "derivative_checker.hpp"

namespace pliant::thin_collision_test {
namespace {

using testing::check_derivative;

constexpr double kStiffness = 300, kDistance = 0.2;

/// Balls at places that are their rest too, but for those of `others`, which belong to another body.
struct Balls {
  ThinCollision term;
  BlockPattern pattern;

  static std::vector<int> count_up(Index count) {
    std::vector<int> all;
    for (int i = 0; i < count; ++i) all.push_back(i);
    return all;
  }
  Balls(const std::vector<Vec3>& rest, std::vector<int> body)
      : term(count_up(std::ssize(rest)), std::move(body), rest,
             {.distance = kDistance,
              .stiffness = Vector::Constant(std::ssize(rest), kStiffness),
              .friction = 0.3}),
        pattern(static_cast<int>(rest.size()), {}) {}

  double energy(const Vector& x) const {
    Vector energies(term.contributions());
    term.evaluate(x, {energies.data(), static_cast<size_t>(energies.size())}, nullptr);
    return energies.sum();
  }
  Vector gradient(const Vector& x) const {
    Vector energies(term.contributions()), g = Vector::Zero(x.size());
    term.evaluate(x, {energies.data(), static_cast<size_t>(energies.size())}, &g);
    return g;
  }
};

Vector as_vector(const std::vector<Vec3>& places) {
  Vector x(3 * std::ssize(places));
  for (size_t i = 0; i < places.size(); ++i) x.segment<3>(3 * static_cast<Index>(i)) = places[i];
  return x;
}

TEST(ThinCollision, PushesTwoThatOverlapApart) {
  const std::vector<Vec3> rest = {{0, 0, 0}, {5, 0, 0}};
  const Balls balls(rest, {0, 1});
  const Vector x = as_vector({{0, 0, 0}, {0.15, 0, 0}});
  EXPECT_NEAR(balls.energy(x), kStiffness * std::pow(0.05, 3), 1e-12);
  EXPECT_GT(balls.gradient(x)[0], 0) << "the way down leads away";
  EXPECT_LT(balls.gradient(x)[3], 0);
  EXPECT_NEAR(balls.term.overlap(x), 0.05, 1e-12);
  EXPECT_EQ(balls.energy(as_vector({{0, 0, 0}, {0.21, 0, 0}})), 0);
}

TEST(ThinCollision, LeavesNeighboursAlone) {
  const std::vector<Vec3> rest = {{0, 0, 0}, {0.1, 0, 0}, {0.4, 0, 0}};
  const Balls balls(rest, {0, 0, 0});
  EXPECT_EQ(balls.energy(as_vector(rest)), 0);
  EXPECT_GT(balls.energy(as_vector({{0, 0, 0}, {0.1, 0, 0}, {0.05, 0.1, 0}})), 0) << "the third is none";
}

TEST(ThinCollision, HasTheDerivativesOfItsEnergy) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-0.25, 0.25);
  std::vector<Vec3> places;
  std::vector<int> body;
  for (int i = 0; i < 12; ++i) {
    places.emplace_back(uniform(random), uniform(random), uniform(random));
    body.push_back(i);
  }
  const Balls balls(places, body);
  const Vector x = as_vector(places);
  Vector along(x.size());
  for (double& entry : along) entry = uniform(random);
  EXPECT_TRUE(check_derivative([&](double t) { return Vector::Constant(1, balls.energy(x + t * along)); },
                               Vector::Constant(1, balls.gradient(x).dot(along))));
  BlockMatrix hessian(balls.pattern);
  hessian.set_zero();
  balls.term.add_hessian(x, Definiteness::none, hessian);
  Vector product;
  hessian.multiply(along, product);
  EXPECT_TRUE(check_derivative([&](double t) { return balls.gradient(x + t * along); }, product));
  hessian.set_zero();
  balls.term.add_hessian(x, Definiteness::clamp, hessian);
  EXPECT_GE(hessian.multiply(along, product), 0);
}

TEST(ThinCollision, FindsWhatComparingAllFinds) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Vec3> places;
  std::vector<int> body;
  for (int i = 0; i < 300; ++i) {
    places.emplace_back(uniform(random), uniform(random), uniform(random));
    body.push_back(i);
  }
  const Balls balls(places, body);
  Vector x = as_vector(places);
  for (int round = 0; round < 20; ++round) {
    double expected = 0;
    for (Index a = 0; a < 300; ++a)
      for (Index b = 0; b < a; ++b) {
        const double depth = kDistance - (x.segment<3>(3 * a) - x.segment<3>(3 * b)).norm();
        if (depth > 0) expected += kStiffness * depth * depth * depth;
      }
    ASSERT_GT(expected, 0);
    EXPECT_NEAR(balls.energy(x), expected, 1e-10 * expected);
    for (double& entry : x) entry += 0.02 * uniform(random);
  }
}

TEST(ThinCollision, DoesNotDependOnWhereItLookedBefore) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  std::vector<Vec3> places;
  std::vector<int> body;
  for (int i = 0; i < 60; ++i) {
    places.emplace_back(uniform(random), uniform(random), uniform(random));
    body.push_back(i);
  }
  const Vector x = as_vector(places);
  const Balls fresh(places, body), moved(places, body);
  Vector before = x;
  for (double& entry : before) entry += 0.04 * uniform(random);
  moved.energy(before);
  EXPECT_EQ(moved.gradient(x), fresh.gradient(x)) << "to the bit";
  EXPECT_EQ(moved.energy(x), fresh.energy(x));
}

TEST(ThinCollision, SaysWhatTouches) {
  const Balls balls({{0, 0, 0}, {5, 0, 0}}, {0, 1});
  std::vector<ContactPoint> contacts;
  balls.term.add_contacts(as_vector({{0, 0, 0}, {0, 0.1, 0}}), contacts);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_LT((contacts[0].normal + Vec3::UnitY()).norm(), 1e-12) << "on the first, away from the second";
  EXPECT_NEAR(contacts[0].force, 3 * kStiffness * 0.01, 1e-12);
  EXPECT_EQ(contacts[0].friction, 0.3);
}

}  // namespace
}  // namespace pliant::thin_collision_test
