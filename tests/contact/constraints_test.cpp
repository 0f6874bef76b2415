#include "pliant/contact/constraints.hpp"

#include <random>

#include "contact/obstacles.hpp"
#include "derivative_checker.hpp"
#include "meshes.hpp"

namespace pliant::constraints_test {
namespace {

using testing::cave;
using testing::check_derivative;
using testing::obstacle;
using testing::random_vector;
using testing::shifted;
using testing::tumbling;

constexpr double kExtent = 1;

/// Constraints of the given shapes, begun at time t.
struct World {
  std::vector<Obstacle> obstacles;
  std::vector<char> fixed;
  std::optional<Constraints> constraints;

  World(const std::vector<ShapePointer>& shapes, Index vertices, double t = 0, const Motion& motion = {}) {
    for (const ShapePointer& shape : shapes) {
      obstacles.push_back(obstacle(shape, ContactWay::constraint));
      obstacles.back().motion = motion;
    }
    fixed.assign(3 * vertices, 0);
    constraints.emplace(obstacles);
    constraints->begin(t, fixed, kExtent);
  }
  Vector projected(Vector x) {
    constraints->project(x);
    return x;
  }
  double gap(const Vec3& x, double t = 0) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Obstacle& one : obstacles) least = std::min(least, PlacedObstacle(one, t).distance(x));
    return least;
  }
};

TEST(Projection, PutsAVertexOntoThePlaneBelowIt) {
  World world({make_half_space(Vec3(0, 2, 0))}, 2);
  Vector x(6);
  x << 0.3, -0.2, 0.7, 0.1, 0.4, 0;
  Vector expected = x;
  expected[1] = 0;
  EXPECT_LT((world.projected(x) - expected).norm(), 1e-12);
}

TEST(Projection, PutsAVertexRadiallyOntoASphere) {
  World world({make_sphere(0.5)}, 1);
  const Vec3 x(0.1, -0.2, 0.05);
  EXPECT_LT((world.projected(x) - 0.5 * x.normalized()).norm(), 1e-12);
}

TEST(Projection, PutsAVertexOntoTheNearestFaceOfABoxWhereItIsNow) {
  const double t = 0.7;
  World world({make_box_shape({1, 0.6, 0.8}, 0)}, 1, t, tumbling());
  const Pose pose = world.obstacles[0].pose(t);
  const Vec3 inside(0.1, 0.2, -0.1), on_face(0.1, 0.3, -0.1);
  EXPECT_LT((world.projected(pose.position(inside)) - pose.position(on_face)).norm(), 1e-12);
}

TEST(Projection, PutsAVertexIntoTheEdgeOfAWedge) {
  World world({make_half_space({1, 1, 0}), make_half_space({-1, 2, 0})}, 1);
  const Vec3 x = world.projected(Vec3(0.01, -0.3, 0.4));
  EXPECT_LT((x - Vec3(0, 0, 0.4)).norm(), 1e-12);
}

TEST(Projection, PutsAVertexIntoTheCornerOfThreePlanes) {
  World world({make_half_space({1, 0.1, 0}), make_half_space({0, 1, 0.2}), make_half_space({-0.1, 0, 1})}, 1);
  EXPECT_LT(world.projected(Vec3(-0.2, -0.3, -0.1)).norm(), 1e-12);
}

TEST(Projection, OutOfOverlappingObstaclesLeadsOutOfAll) {
  World world({make_half_space({0, 1, 0}), shifted(make_box_shape({1, 0.3, 1}, 0), {0, 0.05, 0})}, 1);
  const Vec3 x = world.projected(Vec3(0.1, 0.04, 0.2));
  EXPECT_LT((x - Vec3(0.1, 0.2, 0.2)).norm(), 1e-12);
}

TEST(Projection, OutOfTheMiddleOfABallLeadsUp) {
  World world({make_sphere(0.5)}, 1);
  EXPECT_LT((world.projected(Vec3(0, 0, 0)) - Vec3(0, 0.5, 0)).norm(), 1e-12);
}

TEST(Projection, LeavesFeasiblePointsAndDoesNothingTheSecondTime) {
  World world({make_half_space({1, 1, 0}), make_half_space({-1, 2, 0}),
               shifted(make_sphere(0.3), {0, 0.5, 0}), make_torus(0.6, 0.2)},
              50);
  const Vector x = 0.8 * random_vector(150, 3), once = world.projected(x);
  int moved = 0;
  for (Index i = 0; i < 50; ++i) {
    const Vec3 before = x.segment<3>(3 * i), after = once.segment<3>(3 * i);
    EXPECT_GE(world.gap(after), -1e-11);
    if (world.gap(before) >= 0) {
      EXPECT_EQ(before, after);
    } else {
      ++moved;
    }
  }
  EXPECT_GT(moved, 10);
  EXPECT_LT((world.projected(once) - once).norm(), 1e-11);
}

TEST(Projection, LeavesFixedVerticesAndPlanarCoordinates) {
  World world({make_sphere(0.5)}, 2);
  std::fill_n(world.fixed.begin(), 3, char{1});
  world.fixed[5] = 1;
  world.constraints->begin(0, world.fixed, kExtent);
  Vector x(6);
  x << 0.1, 0.2, 0.1, 0.1, 0.2, 0.3;
  const Vector y = world.projected(x);
  EXPECT_EQ(y.head(3), x.head(3));
  EXPECT_EQ(y[5], x[5]);
  EXPECT_NEAR(y.tail<3>().norm(), 0.5, 1e-11);
}

TEST(Projection, MovesAnActiveVertexBackOntoTheSurface) {
  World world({make_half_space({0, 1, 0})}, 1);
  Vector gradient = Vec3(1, 2, 3);
  world.constraints->label(Vec3(0, 0, 0), gradient);
  EXPECT_LT((world.projected(Vec3(0.1, 0.3, 0)) - Vec3(0.1, 0, 0)).norm(), 1e-12);
}

TEST(ActiveSet, OfOneObstacleHoldsWhatIsPressedAgainstIt) {
  for (const double pressure : {2.0, -2.0}) {
    World world({make_half_space({0, 1, 0})}, 1);
    Vector gradient = Vec3(1, pressure, 3);
    world.constraints->label(Vec3(0.3, 0, 0.2), gradient);
    EXPECT_EQ(world.constraints->active_vertices(), pressure > 0 ? 1 : 0);
    EXPECT_LT((gradient - Vec3(1, std::min(0.0, pressure), 3)).norm(), 1e-12);
  }
}

TEST(ActiveSet, HoldsNothingThatDoesNotTouch) {
  World world({make_half_space({0, 1, 0})}, 1);
  Vector gradient = Vec3(0, 1, 0);
  world.constraints->label(Vec3(0, 1e-6, 0), gradient);
  EXPECT_EQ(world.constraints->active_vertices(), 0);
}

/// The steepest feasible descent is -g less what cannot be had: the nearest point to g of the cone that is
/// polar to the normals, by trying all faces of the cone.
Vec3 brute_force(const std::vector<Vec3>& normals, const Vec3& g) {
  Vec3 best = Vec3::Zero();
  double nearest = g.norm();
  const auto consider = [&](const Vec3& point) {
    for (const Vec3& n : normals)
      if (n.dot(point) > 1e-9) return;
    if ((point - g).norm() < nearest) nearest = (point - g).norm(), best = point;
  };
  consider(g);
  for (size_t a = 0; a < normals.size(); ++a) {
    consider(g - normals[a].dot(g) * normals[a]);
    for (size_t b = 0; b < a; ++b) {
      const Vec3 line = normals[a].cross(normals[b]).normalized();
      consider(line.dot(g) * line);
    }
  }
  return best;
}

TEST(ActiveSet, LeavesTheNearestFeasibleDescentInWedgesAndCorners) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const auto vector = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  std::array<int, 5> held{};
  for (int draw = 0; draw < 1000; ++draw) {
    std::vector<Vec3> normals;
    std::vector<ShapePointer> shapes;
    for (int k = 0; k < 1 + draw % 4; ++k) {
      normals.push_back(vector().normalized());
      shapes.push_back(make_half_space(normals.back()));
    }
    World world(shapes, 1);
    const Vec3 g = vector();
    Vector gradient = g;
    world.constraints->label(Vec3::Zero(), gradient);
    EXPECT_LT((gradient - brute_force(normals, g)).norm(), 1e-6) << "draw " << draw;
    std::vector<ContactPoint> contacts;
    world.constraints->add_contacts(Vec3::Zero(), contacts);
    ++held[contacts.size()];
    Vec3 forces = Vec3::Zero();
    for (const ContactPoint& contact : contacts) {
      EXPECT_GT(contact.force, 0);
      forces += contact.force * contact.normal;
    }
    EXPECT_LT((g - gradient - forces).norm(), 1e-6) << "draw " << draw;
  }
  for (int count = 0; count <= 3; ++count) EXPECT_GT(held[count], 20) << count;
}

/// A function with a gradient everywhere and a Hessian that is not diagonal.
struct Quadratic {
  Mat3 H;
  Vec3 g;
  double value(const Vec3& x) const { return g.dot(x) + 0.5 * x.dot(H * x); }
  Vec3 gradient(const Vec3& x) const { return g + H * x; }
};

Quadratic quadratic(unsigned seed) {
  const Vector r = random_vector(12, seed);
  const Mat3 A = Eigen::Map<const Mat3>(r.data());
  return {A * A.transpose() + Mat3::Identity(), r.tail<3>()};
}

struct Surface {
  const char* what;
  ShapePointer shape;
  Vec3 point;  ///< inside
};

std::vector<Surface> surfaces() {
  return {{"plane", make_half_space({1, 2, 0.5}), Vec3(0.1, -0.3, 0.1)},
          {"sphere", make_sphere(0.5), Vec3(0.2, 0.3, -0.1)},
          {"cave", cave(0.5), Vec3(0.5, 0.3, -0.2)}};
}

TEST(Slope, IsThatOfTheFunctionAlongTheProjectedLine) {
  for (const auto& [what, shape, point] : surfaces()) {
    World world({shape}, 1);
    const Quadratic f = quadratic(7);
    const Vec3 step(0.3, -0.1, 0.25);
    const auto value = [&](double t) {
      const Vec3 x = point + t * step;
      return Vector(Vector::Constant(1, f.value(Vec3(world.projected(x)))));
    };
    const Vec3 x = world.projected(point);
    const double slope = world.constraints->slope(f.gradient(x), step);
    EXPECT_TRUE(check_derivative(value, Vector::Constant(1, slope), {.step = 0.02})) << what;
  }
}

TEST(Slope, IsExactWhereTheProjectionTakesSeveralSteps) {
  const ShapePointer blended = blend(make_sphere(0.5), shifted(make_sphere(0.4), {0.6, 0, 0}), 0.3);
  const Quadratic f = quadratic(7);
  for (const bool planar : {false, true}) {
    World world({planar ? make_sphere(0.5) : blended}, 1);
    world.fixed[2] = planar;
    world.constraints->begin(0, world.fixed, kExtent);
    const Vec3 point = planar ? Vec3(0.1, 0.2, 0.3) : Vec3(0.35, 0.2, 0.1), step(0.3, -0.1, planar ? 0 : 0.2);
    const auto value = [&](double t) {
      return Vector(Vector::Constant(1, f.value(Vec3(world.projected(Vec3(point + t * step))))));
    };
    const Vec3 x = world.projected(point);
    EXPECT_GT((x - point).norm(), 0.05);
    EXPECT_TRUE(check_derivative(value, Vector::Constant(1, world.constraints->slope(f.gradient(x), step)),
                                 {.step = 0.02}))
        << planar;
  }
}

TEST(Slope, OfAVertexInAWedgeIsThatAlongItsEdge) {
  World world({make_half_space({1, 1, 0.3}), make_half_space({-1, 2, 0})}, 1);
  const Quadratic f = quadratic(8);
  const Vec3 point(0.01, -0.3, 0.4), step(0.02, 0.03, 0.2);
  const auto value = [&](double t) {
    return Vector(Vector::Constant(1, f.value(Vec3(world.projected(Vec3(point + t * step))))));
  };
  const Vec3 x = world.projected(point);
  EXPECT_TRUE(check_derivative(value, Vector::Constant(1, world.constraints->slope(f.gradient(x), step)),
                               {.step = 0.05}));
}

TEST(ConstrainedHessian, IsTheSecondDerivativeAlongTangents) {
  for (auto [what, shape, point] : surfaces()) {
    World world({shape}, 1);
    const Vec3 x = world.projected(point);
    const Vec3 n = PlacedObstacle(world.obstacles[0], 0).distance_jet(x).gradient;
    Quadratic f = quadratic(9);
    f.g += (2 - n.dot(f.gradient(x))) * n;  // pressed against it
    Vector gradient = f.gradient(x);
    world.constraints->label(x, gradient);
    ASSERT_EQ(world.constraints->active_vertices(), 1);
    const BlockPattern pattern(1, {});
    BlockMatrix hessian(pattern);
    hessian.set_zero();
    hessian.add_diagonal_block(0, f.H);
    world.constraints->restrict_hessian(Definiteness::none, Vec3::Constant(1), hessian);
    const Vec3 tangent = n.cross(Vec3(0.3, 1, 0.2)).normalized();
    Vector product;
    const double second = hessian.multiply(tangent, product);
    const auto slope = [&](double t) {
      const Vec3 y = world.projected(Vec3(x + t * tangent));
      return Vector(Vector::Constant(1, world.constraints->slope(f.gradient(y), tangent)));
    };
    EXPECT_TRUE(check_derivative(slope, Vector::Constant(1, second), {.step = 0.05})) << what;
  }
}

TEST(ConstrainedHessian, OfAPlanarBodyHasTheCurvatureOfTheCut) {
  // At z = 0.3 a sphere of 0.5 m is a circle of 0.4 m.
  World world({make_sphere(0.5)}, 1);
  world.fixed[2] = 1;
  world.constraints->begin(0, world.fixed, kExtent);
  Vector gradient = Vec3(0, 100, 0);
  world.constraints->label(Vec3(0, 0.4, 0.3), gradient);
  ASSERT_EQ(world.constraints->active_vertices(), 1);
  const BlockPattern pattern(1, {});
  BlockMatrix hessian(pattern);
  hessian.set_zero();
  world.constraints->restrict_hessian(Definiteness::none, Vec3::Constant(1), hessian);
  Vector product;
  EXPECT_NEAR(hessian.multiply(Vec3(1, 0, 0), product), -100 / 0.4, 1e-9);
}

TEST(ConstrainedHessian, HasNoNegativeEigenvaluesWhereNoneAreWanted) {
  World world({make_sphere(0.5)}, 1);
  const Vec3 x(0, 0.5, 0);
  Vector gradient = Vec3(0, 100, 0);
  world.constraints->label(x, gradient);
  const BlockPattern pattern(1, {});
  for (const auto definiteness : {Definiteness::none, Definiteness::clamp, Definiteness::abs}) {
    BlockMatrix hessian(pattern);
    hessian.set_zero();
    hessian.add_diagonal_block(0, Mat3::Identity());
    world.constraints->restrict_hessian(definiteness, Vec3::Constant(1), hessian);
    Vector product;
    // Convex: 100 N over a radius of 0.5 m.
    const double curvature = hessian.multiply(Vec3(1, 0, 0), product) - 1;
    EXPECT_NEAR(curvature,
                definiteness == Definiteness::none  ? -200
                : definiteness == Definiteness::abs ? 200
                                                    : 0,
                1e-9);
  }
}

}  // namespace
}  // namespace pliant::constraints_test
