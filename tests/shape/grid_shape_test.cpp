#include "pliant/shape/grid_shape.hpp"

#include "derivative_checker.hpp"
#include "mesh/mesh_checks.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/mesh/box.hpp"
#include "pliant/shape/shapes.hpp"
#include "pliant/shape/surface_shape.hpp"

namespace pliant::grid_shape_test {
namespace {

using testing::check_derivative;
using testing::DerivativeCheck;

constexpr double kCell = 0.1;

Vec3 random_offset(Random& random) {
  return {random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5};
}

/// The lowest corner of all cells of a grid around a shape: two cells from its bounds, which are centred.
Vec3 lowest_corner(const Shape& shape) {
  const Vec3 size = shape.bounds().sizes();
  Vec3 half;
  for (int axis = 0; axis < 3; ++axis) half[axis] = (std::ceil(size[axis] / kCell) + 4) * kCell / 2;
  return shape.bounds().center() - half;
}

class GridShapes : public ::testing::TestWithParam<GridInterpolation> {
 protected:
  const ShapePointer torus_ = make_torus(0.53, 0.22);
  const ShapePointer grid_ = make_grid_shape(*torus_, kCell, GetParam());
  const Vec3 corner_ = lowest_corner(*torus_);

  Vec3 cell_middle(Random& random) const {
    const auto some = [&](int cells) { return static_cast<double>(random.next() % cells) + 0.5; };
    return corner_ + kCell * Vec3(some(19), some(9), some(19));
  }
  void expect_derivatives(const Vec3& x, const Vec3& along, double step) const {
    const Jet jet = grid_->distance_jet(x);
    EXPECT_EQ(jet.value, grid_->distance(x));
    EXPECT_EQ((jet.hessian - jet.hessian.transpose()).norm(), 0);
    const DerivativeCheck options{.step = step, .halvings = 11};
    const double slope = jet.gradient.dot(along);
    if (std::abs(slope) > 1e-2) {
      EXPECT_TRUE(
          check_derivative([&](double t) { return Vector::Constant(1, grid_->distance(x + t * along)); },
                           Vector::Constant(1, slope), options))
          << x.transpose();
    }
    const Vec3 turn = jet.hessian * along;
    if (turn.norm() > 1e-2) {
      EXPECT_TRUE(check_derivative(
          [&](double t) -> Vector { return grid_->distance_jet(x + t * along).gradient; }, turn, options))
          << x.transpose();
    }
  }
};

TEST_P(GridShapes, HaveTheDerivativesThatDifferencesGive) {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const Vec3 x = cell_middle(random) + 0.6 * kCell * random_offset(random);
    expect_derivatives(x, random_offset(random).normalized(), 0.19 * kCell);
  }
}

TEST_P(GridShapes, HaveThoseOutsideOfTheGridToo) {
  Random random(8);
  for (int i = 0; i < 100; ++i) {
    Vec3 x = cell_middle(random) + 0.6 * kCell * random_offset(random);
    for (int axis = 0; axis < 3; ++axis)
      if (i >> axis & 1) x[axis] = random.uniform() < 0.5 ? corner_[axis] - 0.3 : -corner_[axis] + 0.4;
    expect_derivatives(x, random_offset(random).normalized(), 0.19 * kCell);
  }
}

TEST_P(GridShapes, AreContinuousAcrossTheBordersOfCells) {
  Random random(9);
  double largest_kink = 0;
  for (int i = 0; i < 300; ++i) {
    const int axis = i % 3;
    Vec3 x = cell_middle(random) + 0.9 * kCell * random_offset(random);
    x[axis] = corner_[axis] + kCell * static_cast<double>(1 + random.next() % 7);
    const Vec3 across = 1e-9 * Vec3::Unit(axis);
    const Jet before = grid_->distance_jet(x - across), after = grid_->distance_jet(x + across);
    EXPECT_NEAR(before.value, after.value, 4e-9);
    largest_kink = std::max(largest_kink, (before.gradient - after.gradient).norm());
  }
  if (GetParam() == GridInterpolation::cubic)
    EXPECT_LT(largest_kink, 1e-6);
  else
    EXPECT_GT(largest_kink, 0.1);
}

TEST_P(GridShapes, ArePositiveAndContinuousAcrossTheBorderOfTheGrid) {
  Random random(10);
  for (int i = 0; i < 300; ++i) {
    const int axis = i % 3;
    const double side = i % 2 == 0 ? 1 : -1;
    Vec3 x = cell_middle(random) + 0.9 * kCell * random_offset(random);
    x[axis] = side * corner_[axis];
    EXPECT_NEAR(grid_->distance(x - 1e-9 * Vec3::Unit(axis)), grid_->distance(x + 1e-9 * Vec3::Unit(axis)),
                4e-9);
    EXPECT_GT(grid_->distance(x), kCell);
    const Vec3 out = x + 100 * random.uniform() * Vec3::Unit(axis) * (side * corner_[axis] > 0 ? 1 : -1);
    EXPECT_GE(grid_->distance(out), torus_->distance(out) - 0.01);
  }
  EXPECT_GT(grid_->distance({1e200, -1e200, 1e200}), 1e199);
}

TEST_P(GridShapes, HaveTheSignOfWhatWasSampled) {
  Random random(11);
  int inside = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec3 x = 2 * random_offset(random);
    const double exact = torus_->distance(x), found = grid_->distance(x);
    // The interpolation's error: half the square of the cell size times the curvature, in three directions.
    if (std::abs(exact) > 0.5 * kCell * kCell / 0.22) {
      EXPECT_EQ(found < 0, exact < 0) << x.transpose();
    }
    if (found <= 0) {
      EXPECT_TRUE(grid_->bounds().contains(x));
    }
    inside += found < 0;
  }
  EXPECT_GT(inside, 500);
}

TEST_P(GridShapes, ConvergeToWhatWasSampled) {
  const ShapePointer ball = moved(make_sphere(0.5), 1, Eigen::Quaterniond::Identity(), {0.3, -0.2, 0.1});
  std::vector<double> errors;
  for (const double cell : {0.08, 0.04, 0.02}) {
    const ShapePointer grid = make_grid_shape(*ball, cell, GetParam());
    Random random(12);
    double sum = 0;
    for (int i = 0; i < 4000; ++i) {
      const Vec3 x =
          Vec3(0.3, -0.2, 0.1) + (0.4 + 0.13 * random.uniform()) * random_offset(random).normalized();
      sum += std::pow(grid->distance(x) - ball->distance(x), 2);
    }
    errors.push_back(std::sqrt(sum / 4000));
  }
  const double order = std::log2(errors[0] / errors[2]) / 2;
  const bool linear = GetParam() == GridInterpolation::linear;
  EXPECT_GT(order, linear ? 1.9 : 2.7);
  EXPECT_LT(order, linear ? 2.1 : 4.2);
}

TEST_P(GridShapes, CanBeMadeOfASurface) {
  const TriangleMesh box = extract_surface(make_box({Vec3(1, 0.7, 0.5), {2, 2, 2}, 6})).mesh;
  const ShapePointer grid = make_grid_shape(*make_surface_shape(box, "box"), 0.05, GetParam());
  EXPECT_NEAR(grid->distance({0, 0, 0}), -0.25, 0.03);
  EXPECT_NEAR(grid->distance({0.5, 0.1, 0.05}), 0, 1e-6);
  EXPECT_NEAR(grid->distance({0.53, 0.1, 0.05}), 0.03, 1e-6);
  EXPECT_NEAR((grid->distance_jet({0.1, 0.33, 0.02}).gradient - Vec3::UnitY()).norm(), 0, 1e-5);
}

TEST_P(GridShapes, AreTheSameForAnyNumberOfThreads) {
  set_threads(1);
  const ShapePointer one = make_grid_shape(*torus_, 0.03, GetParam());
  set_threads(3);
  const ShapePointer three = make_grid_shape(*torus_, 0.03, GetParam());
  set_threads(0);
  Random random(13);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 x = 2 * random_offset(random);
    EXPECT_EQ(one->distance(x), three->distance(x));
  }
}

INSTANTIATE_TEST_SUITE_P(GridShape, GridShapes,
                         ::testing::Values(GridInterpolation::linear, GridInterpolation::cubic),
                         [](const auto& tested) {
                           return tested.param == GridInterpolation::linear ? "linear" : "cubic";
                         });

TEST(GridShape, KeepsClearOfItsBoundsWhereTheSampledShapeSaysLess) {
  // The distance of a difference is far too small beside what was cut off.
  const ShapePointer cut = subtract(make_box_shape({1, 1, 1}, 0), make_sphere(0.7));
  for (const GridInterpolation interpolation : {GridInterpolation::linear, GridInterpolation::cubic}) {
    const ShapePointer grid = make_grid_shape(*cut, 0.05, interpolation);
    for (const Vec3& x : {Vec3(0.6, 0, 0), Vec3(0, -0.62, 0.1), Vec3(2, 0, 0), Vec3(0.1, 5, 5)})
      EXPECT_GT(grid->distance(x), 0.04) << x.transpose();
  }
}

TEST(GridShape, RefusesWhatHasNoEndAndGridsThatAreTooLarge) {
  const auto complaint = [](const ShapePointer& shape, double cell) {
    return complaints_of([&] { make_grid_shape(*shape, cell, GridInterpolation::linear); });
  };
  EXPECT_NE(complaint(make_half_space({0, 1, 0}), 0.1).find("without end; use the shape itself"),
            std::string::npos);
  const std::string large = complaint(make_sphere(1), 1e-3);
  EXPECT_NE(large.find("make the cell larger than 0.005 m"), std::string::npos) << large;
  EXPECT_NE(complaint(make_sphere(1), 1e-300).find("make the cell larger"), std::string::npos);
  for (const double cell : std::initializer_list<double>{0, -1, NAN, HUGE_VAL})
    EXPECT_NE(complaint(make_sphere(1), cell).find("must be positive"), std::string::npos);
}

}  // namespace
}  // namespace pliant::grid_shape_test
