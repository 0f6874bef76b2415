#include "pliant/contact/penalty.hpp"

#include <random>

#include "contact/obstacles.hpp"
#include "dense.hpp"
#include "derivative_checker.hpp"
#include "meshes.hpp"

namespace pliant::penalty_test {
namespace {

using testing::check_derivative;
using testing::obstacle;
using testing::random_vector;
using testing::tumbling;

constexpr double kStiffness = 1e3, kTime = 0.6, kStep = 1e-3;

struct Kind {
  const char* what;
  ShapePointer shape;
};

std::vector<Kind> kinds() {
  const auto grid = [](const ShapePointer& shape, GridInterpolation interpolation) {
    return make_grid_shape(*shape, 0.1, interpolation);
  };
  return {{"HalfSpace", make_half_space({1, 3, -1})},
          {"Sphere", make_sphere(0.7)},
          {"Box", make_box_shape({1, 0.8, 1.2}, 0)},
          {"RoundedBox", make_box_shape({1, 0.8, 1.2}, 0.1)},
          {"Ellipsoid", make_ellipsoid({0.7, 0.5, 0.9})},
          {"Torus", make_torus(0.6, 0.25)},
          {"Capsule", make_capsule(0.8, 0.3)},
          {"Cylinder", make_cylinder(0.5, 0.9)},
          {"Cone", make_cone(0.7, 0.2, 0.9)},
          {"Plate", make_plate({1.6, 0.4, 1.6}, 0.3)},
          {"Bowl", make_bowl(0.8, 0.3, 0.1)},
          {"Blend", blend(make_sphere(0.5), testing::shifted(make_sphere(0.4), {0.6, 0, 0}), 0.2)},
          {"LinearGrid", grid(make_sphere(0.7), GridInterpolation::linear)},
          {"CubicGrid", grid(make_torus(0.6, 0.3), GridInterpolation::cubic)}};
}

/// A penalty of one obstacle that turned and moved a while, on a number of vertices.
struct Against {
  std::vector<Obstacle> obstacles;
  std::optional<ObstaclePenalty> penalty;
  BlockPattern pattern;

  Against(ShapePointer shape, int vertices) : pattern(vertices, {}) {
    obstacles.push_back(obstacle(std::move(shape), ContactWay::penalty));
    obstacles[0].motion = tumbling();
    penalty.emplace(obstacles, Vector::Constant(vertices, kStiffness));
    Stage stage;
    stage.time = kTime;
    penalty->begin_stage(stage);
  }
  double energy(const Vector& x) const {
    Vector energies(penalty->contributions());
    penalty->evaluate(x, {energies.data(), static_cast<size_t>(energies.size())}, nullptr);
    return energies.sum();
  }
  Vector gradient(const Vector& x) const {
    Vector energies(penalty->contributions()), gradient = Vector::Zero(x.size());
    penalty->evaluate(x, {energies.data(), static_cast<size_t>(energies.size())}, &gradient);
    return gradient;
  }
  Mat3 hessian(const Vector& x, Definiteness definiteness) const {
    BlockMatrix hessian(pattern);
    hessian.set_zero();
    penalty->add_hessian(x, definiteness, hessian);
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(hessian.block(0));
  }
  /// Whether the distance is smooth along a line around x: no other face, edge or cell comes near.
  bool is_smooth(const Vec3& x, const Vec3& along) const {
    const PlacedObstacle at(obstacles[0], kTime);
    const Vec3 change =
        at.distance_jet(x + kStep * along).gradient - at.distance_jet(x - kStep * along).gradient;
    return (change - 2 * kStep * at.distance_jet(x).hessian * along).norm() < 10 * kStep * kStep;
  }
  /// Points inside, not deep, around which the distance is smooth.
  std::vector<Vec3> points(const Vec3& along) const {
    const PlacedObstacle at(obstacles[0], kTime);
    std::vector<Vec3> found;
    for (unsigned seed = 0; seed < 2000 && found.size() < 8; ++seed) {
      const Vec3 x = obstacles[0].pose(kTime).position(random_vector(3, seed));
      const double depth = -at.distance(x);
      if (depth > 0.02 && depth < 0.15 && is_smooth(x, along)) found.push_back(x);
    }
    return found;
  }
};

class Penalty : public ::testing::TestWithParam<Kind> {};

TEST_P(Penalty, HasTheGradientAndHessianThatDifferencesGive) {
  const Against against(GetParam().shape, 1);
  const Vec3 along = random_vector(3, 77);
  const std::vector<Vec3> points = against.points(along);
  ASSERT_EQ(points.size(), 8);
  for (const Vec3& x : points) {
    const auto value = [&](double t) {
      return Vector(Vector::Constant(1, against.energy(Vec3(x + t * along))));
    };
    const auto gradient = [&](double t) { return against.gradient(Vec3(x + t * along)); };
    const Vec3 g = gradient(0);
    EXPECT_TRUE(check_derivative(value, Vector::Constant(1, g.dot(along)), {.step = kStep, .halvings = 6}));
    const Mat3 H = against.hessian(x, Definiteness::none);
    EXPECT_TRUE(check_derivative(gradient, H * along, {.step = kStep, .halvings = 6}));
    EXPECT_LT((H - H.transpose()).norm(), 1e-12 * H.norm());
  }
}

TEST_P(Penalty, MadeDefiniteHasNoNegativeEigenvalue) {
  const Against against(GetParam().shape, 1);
  for (const Vec3& x : against.points(Vec3(1, 2, 3)))
    for (const auto definiteness : {Definiteness::clamp, Definiteness::abs}) {
      const Mat3 H = against.hessian(x, definiteness);
      const Vec3 values = testing::eigenvalues(H);
      EXPECT_GE(values[0], -1e-12 * values[2]);
      EXPECT_GT(values[2], 0);
    }
}

TEST_P(Penalty, SuppliesTheEnergyThatItsMotionAdds) {
  constexpr int kVertices = 60;
  constexpr double kLittle = 1e-5;
  const Vector x = 0.8 * random_vector(3 * kVertices, 5);
  const Against against(GetParam().shape, kVertices);
  const double supplied = against.penalty->power(x, Vector::Zero(x.size()), {kTime, kTime}).supplied;
  const double change =
      against.penalty->stored(x, kTime + kLittle) - against.penalty->stored(x, kTime - kLittle);
  EXPECT_GT(std::abs(supplied), 0);
  EXPECT_NEAR(supplied, change / (2 * kLittle), 1e-3 * std::abs(supplied));
}

TEST_P(Penalty, NamesTheForceOfEveryVertexInside) {
  constexpr int kVertices = 60;
  const Vector x = 0.8 * random_vector(3 * kVertices, 5);
  const Against against(GetParam().shape, kVertices);
  std::vector<ContactPoint> contacts;
  against.penalty->add_contacts(x, contacts);
  Vector left = against.gradient(x);
  EXPECT_GT(left.norm(), 0);
  for (const ContactPoint& contact : contacts)
    left.segment<3>(3 * contact.vertices[0]) += contact.force * contact.normal;
  EXPECT_LT(left.norm(), 1e-12 * against.gradient(x).norm());
}

INSTANTIATE_TEST_SUITE_P(Shapes, Penalty, ::testing::ValuesIn(kinds()),
                         [](const auto& parameter) { return parameter.param.what; });

TEST(PenaltyStiffness, IsThatOfTheObstacleWhereItHasOne) {
  Obstacle plane = obstacle(make_half_space(Vec3::UnitY()), ContactWay::penalty);
  const auto energy = [&] {
    const std::vector<Obstacle> obstacles{plane};
    ObstaclePenalty penalty(obstacles, Vector::Constant(1, 5));
    return penalty.stored(Vec3(0, -0.1, 0), 0);
  };
  EXPECT_NEAR(energy(), 5 * 1e-3, 1e-15);
  plane.stiffness = 7;
  EXPECT_NEAR(energy(), 7 * 1e-3, 1e-15);
}

}  // namespace
}  // namespace pliant::penalty_test
