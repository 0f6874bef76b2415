#include "pliant/contact/point_primitive.hpp"

#include "dense.hpp"
#include "derivative_checker.hpp"
#include "meshes.hpp"

namespace pliant::point_primitive_test {
namespace {

using Feature = ClosestPoint::Feature;
using testing::check_derivative;
using testing::random_vector;

constexpr double kStiffness = 7;

struct Part {
  Feature feature;
  int which;
};

const std::vector<Part> kParts = {{Feature::face, 0},  {Feature::edge, 0},   {Feature::edge, 1},
                                  {Feature::edge, 2},  {Feature::corner, 0}, {Feature::corner, 1},
                                  {Feature::corner, 2}};

PointPrimitive pair_at(const Vector& x, const Part& part) {
  return {{x.segment<3>(0), x.segment<3>(3), x.segment<3>(6), x.segment<3>(9)}, part.feature, part.which};
}

/// Four vertices in general position, and the point not far from the triangle as well.
Vector vertices(unsigned seed) {
  Vector x = random_vector(12, seed);
  if (seed % 2 == 0)
    x.head<3>() = (x.segment<3>(3) + x.segment<3>(6) + x.segment<3>(9)) / 3 + 0.1 * x.head<3>();
  return x;
}

/// The pair of a point and the part of the triangle that it is nearest to.
PointPrimitive nearest_pair(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const ClosestPoint closest = closest_point(p, a, b, c);
  return {{p, a, b, c}, closest.feature, closest.which};
}

/// Both functions of a pair, as one type to run the same checks on.
using Function = double (*)(const PointPrimitive&, Vec12*, Mat12*);
double energy(const PointPrimitive& pair, Vec12* gradient, Mat12* hessian) {
  return penetration_energy(pair, kStiffness, gradient, hessian);
}
const std::vector<Function> kFunctions = {squared_distance, energy};

TEST(PointPrimitive, HasTheGradientAndHessianThatDifferencesGive) {
  for (const Function f : kFunctions)
    for (const Part& part : kParts)
      for (const unsigned seed : {1u, 2u, 3u, 4u}) {
        const Vector x = vertices(seed), along = random_vector(12, 100 + seed);
        Vec12 gradient;
        Mat12 hessian;
        f(pair_at(x, part), &gradient, &hessian);
        const Vector slope = Vector::Constant(1, gradient.dot(along));
        const auto value_at = [&](double t) {
          return Vector::Constant(1, f(pair_at(x + t * along, part), nullptr, nullptr));
        };
        EXPECT_TRUE(check_derivative(value_at, slope, {.step = 1e-2})) << seed;
        const auto gradient_at = [&](double t) -> Vector {
          Vec12 there;
          f(pair_at(x + t * along, part), &there, nullptr);
          return there;
        };
        EXPECT_TRUE(check_derivative(gradient_at, hessian * along, {.step = 1e-2})) << seed;
        EXPECT_EQ((hessian - hessian.transpose()).norm(), 0);
      }
}

TEST(PointPrimitive, IsTheDistanceToTheNearestPartOfATriangle) {
  std::array<int, 3> seen{};
  for (unsigned seed = 1; seed < 200; ++seed) {
    const Vector x = random_vector(12, seed);
    const PointPrimitive pair =
        nearest_pair(x.segment<3>(0), x.segment<3>(3), x.segment<3>(6), x.segment<3>(9));
    const ClosestPoint closest = closest_point(pair.x[0], pair.x[1], pair.x[2], pair.x[3]);
    EXPECT_NEAR(squared_distance(pair), closest.squared_distance, 1e-14);
    ++seen[static_cast<int>(pair.feature)];
  }
  for (const int count : seen) EXPECT_GT(count, 10);
}

TEST(PointPrimitive, DoesNotMoveVerticesThatItsPartDoesNotTouch) {
  for (const Part& part : kParts) {
    Vec12 gradient;
    Mat12 hessian;
    penetration_energy(pair_at(vertices(1), part), kStiffness, &gradient, &hessian);
    for (int corner = 0; corner < 3; ++corner) {
      const bool touched =
          part.feature == Feature::face || (part.feature == Feature::edge) != (corner == part.which);
      EXPECT_EQ(gradient.segment<3>(3 + 3 * corner).norm() > 0, touched);
      EXPECT_EQ(hessian.middleRows<3>(3 + 3 * corner).norm() > 0, touched);
    }
  }
}

TEST(PointPrimitive, NeitherPushesNorTurnsTheWhole) {
  for (const Part& part : kParts) {
    const Vector x = vertices(3);
    Vec12 gradient;
    penetration_energy(pair_at(x, part), kStiffness, &gradient);
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (int i = 0; i < 4; ++i) {
      force += gradient.segment<3>(3 * i);
      torque += Vec3(x.segment<3>(3 * i)).cross(Vec3(gradient.segment<3>(3 * i)));
    }
    EXPECT_LT(force.norm() + torque.norm(), 1e-13 * gradient.norm());
  }
}

TEST(PointPrimitive, IsContinuouslyDifferentiableWhereTheNearestPartChanges) {
  const Vec3 a(0, 0, 0), b(1, 0.1, 0), c(0.2, 0.9, 0.1);
  const Vec3 normal = (b - a).cross(c - a).normalized();
  // Around the triangle through the regions of faces, edges and corners.
  constexpr int kSteps = 20000;
  Vec12 before = Vec12::Zero();
  double value_before = 0;
  int changes = 0;
  Feature feature = Feature::face;
  for (int i = 0; i <= kSteps; ++i) {
    const double angle = 2 * 3.14159265358979 * i / kSteps;
    const Vec3 p = (a + b + c) / 3 +
                   (0.5 + 0.3 * std::cos(3 * angle)) * Vec3(std::cos(angle), std::sin(angle), 0) +
                   0.1 * normal;
    const PointPrimitive pair = nearest_pair(p, a, b, c);
    Vec12 gradient;
    const double value = penetration_energy(pair, 1, &gradient);
    if (i > 0) {
      EXPECT_LT(std::abs(value - value_before), 1e-3);
      EXPECT_LT((gradient - before).norm(), 3e-3) << i;
      changes += pair.feature != feature;
    }
    feature = pair.feature;
    before = gradient;
    value_before = value;
  }
  EXPECT_GE(changes, 9);
}

TEST(PointPrimitive, IsFiniteForTinyAndNoDistances) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  const std::vector<std::pair<Vec3, Part>> touching = {{{0.2, 0.3, 0}, {Feature::face, 0}},
                                                       {{0.4, 0, 0}, {Feature::edge, 2}},
                                                       {{0, 1, 0}, {Feature::corner, 2}}};
  for (const auto& [at, part] : touching)
    for (const double depth : {0.0, 1e-300, 1e-20, 1e-12, 1e-8})
      for (const Definiteness how : {Definiteness::none, Definiteness::clamp, Definiteness::abs}) {
        Vec12 gradient;
        Mat12 hessian;
        const PointPrimitive pair{{at + Vec3(0, 0, depth), a, b, c}, part.feature, part.which};
        const double value = penetration_energy(pair, kStiffness, &gradient, &hessian, how);
        EXPECT_TRUE(std::isfinite(value) && gradient.allFinite() && hessian.allFinite());
        EXPECT_GE(value, 0);
        EXPECT_LE(gradient.norm(), 20 * kStiffness * depth * (depth + 1e-7));
        EXPECT_LT(hessian.norm(), 50 * kStiffness * (depth + 1e-7));
      }
}

TEST(PointPrimitive, IsFiniteWhereTheTriangleHasNoArea) {
  const Vec3 a(0, 0, 0), b(1, 0, 0);
  for (const Part& part : kParts) {
    Vec12 gradient;
    Mat12 hessian;
    const PointPrimitive pair{{Vec3(0.3, 0.1, 0), a, b, a}, part.feature, part.which};
    EXPECT_TRUE(std::isfinite(penetration_energy(pair, 1, &gradient, &hessian, Definiteness::clamp)));
    EXPECT_TRUE(gradient.allFinite() && hessian.allFinite());
  }
}

TEST(PointPrimitive, IsCubicInTheDepth) {
  const PointPrimitive pair{{Vec3(0.2, 0.2, 0.01), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}};
  EXPECT_NEAR(penetration_energy(pair, 2), 2e-6, 1e-15);
}

TEST(PointPrimitive, MadeDefiniteHasTheEigenvaluesClampedOrTurnedOver) {
  int indefinite = 0;
  for (const Part& part : kParts)
    for (const unsigned seed : {1u, 2u, 3u, 4u}) {
      const PointPrimitive pair = pair_at(vertices(seed), part);
      Mat12 plain, clamped, turned;
      penetration_energy(pair, kStiffness, nullptr, &plain);
      penetration_energy(pair, kStiffness, nullptr, &clamped, Definiteness::clamp);
      penetration_energy(pair, kStiffness, nullptr, &turned, Definiteness::abs);
      const testing::Eigenpairs eigen = testing::eigenpairs(plain);
      const auto with = [&](const Vec12& values) -> Mat12 {
        return eigen.vectors * values.asDiagonal() * eigen.vectors.transpose();
      };
      const double size = plain.norm();
      EXPECT_LT((clamped - with(eigen.values.cwiseMax(0))).norm(), 1e-13 * size);
      EXPECT_LT((turned - with(eigen.values.cwiseAbs())).norm(), 1e-13 * size);
      EXPECT_GT(testing::eigenvalues(clamped)[0], -1e-14 * size);
      indefinite += eigen.values[0] < -1e-3 * size;
    }
  EXPECT_GT(indefinite, 4);
}

TEST(PointPrimitive, MadeDefiniteIsThePlainOneWhereThatIsDefinite) {
  for (const int corner : {0, 1, 2}) {
    const PointPrimitive pair = pair_at(vertices(2), {Feature::corner, corner});
    Mat12 plain, clamped;
    penetration_energy(pair, kStiffness, nullptr, &plain);
    penetration_energy(pair, kStiffness, nullptr, &clamped, Definiteness::clamp);
    EXPECT_LT((clamped - plain).norm(), 1e-14 * plain.norm());
  }
}

}  // namespace
}  // namespace pliant::point_primitive_test
