#include "pliant/shape/shapes.hpp"

#include <functional>

#include "derivative_checker.hpp"
#include "mesh/mesh_checks.hpp"
#include "pliant/base/random.hpp"
#include "pliant/shape/figures.hpp"

namespace pliant::shapes_test {
namespace {

using testing::check_derivative;
using testing::DerivativeCheck;

struct NamedShape {
  std::string name;
  ShapePointer shape;
  bool exact;  ///< its value is the distance everywhere, not only near the surface
};

std::vector<NamedShape> all_shapes() {
  const Eigen::Quaterniond turn = Eigen::Quaterniond(0.8, 0.3, -0.4, 0.2).normalized();
  const ShapePointer torus = make_torus(0.5, 0.2), box = make_box_shape({0.8, 0.6, 0.5}, 0);
  return {{"sphere", make_sphere(0.5), true},
          {"ellipsoid", make_ellipsoid({0.6, 0.4, 0.3}), true},
          {"oblate", make_ellipsoid({0.6, 0.3, 0.6}), true},
          {"torus", torus, true},
          {"capsule", make_capsule(0.6, 0.2), true},
          {"cylinder", make_cylinder(0.4, 0.7), true},
          {"cone", make_cone(0.5, 0, 0.8), true},
          {"frustum", make_cone(0.3, 0.5, 0.8), true},
          {"box", box, true},
          {"rounded box", make_box_shape({0.8, 0.6, 0.5}, 0.1), true},
          {"plate", make_plate({1, 0.3, 0.8}, 0.25), true},
          {"bowl", make_bowl(0.5, 0.1, 0.1), true},
          {"half space", make_half_space({1, 2, -1}), true},
          {"union", unite(torus, box), false},
          {"difference", subtract(box, torus), false},
          {"intersection", intersect(box, torus), false},
          {"smooth union", blend(box, torus, 0.2), false},
          {"shell", hollow(make_sphere(0.5), 0.1), true},
          {"offset", offset(box, 0.1), true},
          {"mirrored", mirror(moved(make_sphere(0.2), 1, turn, {0.3, 0.1, 0}), 0), true},
          {"moved", moved(make_ellipsoid({0.6, 0.4, 0.3}), 0.7, turn, {0.1, -0.2, 0.3}), true},
          {"teddy", make_teddy(1), false}};
}

Vec3 random_direction(Random& random) {
  return Vec3(random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5).normalized();
}

class AllShapes : public ::testing::TestWithParam<size_t> {
 protected:
  const NamedShape tested_ = all_shapes()[GetParam()];
  const Shape& shape_ = *tested_.shape;

  /// Random points around, and straight lines through them that stay within one smooth piece of the distance.
  void for_smooth_places(double reach, const std::function<void(const Vec3&, const Vec3&)>& body) {
    Random random(17);
    int smooth = 0;
    constexpr int kPlaces = 100;
    for (int i = 0; i < kPlaces; ++i) {
      const Vec3 x = 1.6 * Vec3(random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5);
      const Vec3 along = random_direction(random);
      const Jet ahead = shape_.distance_jet(x + reach * along),
                behind = shape_.distance_jet(x - reach * along);
      const double change =
          (ahead.hessian - behind.hessian).norm() + (ahead.gradient - behind.gradient).norm();
      if (change > 0.05 * (1 + ahead.hessian.norm())) continue;
      ++smooth;
      body(x, along);
    }
    EXPECT_GT(smooth, 0.7 * kPlaces);
  }
};

TEST_P(AllShapes, HaveTheGradientThatDifferencesGive) {
  for_smooth_places(1e-3, [&](const Vec3& x, const Vec3& along) {
    const Jet jet = shape_.distance_jet(x);
    EXPECT_NEAR(jet.value, shape_.distance(x), 1e-14);
    const Vector slope = Vector::Constant(1, jet.gradient.dot(along));
    if (std::abs(slope[0]) < 1e-2) return;
    EXPECT_TRUE(
        check_derivative([&](double t) { return Vector::Constant(1, shape_.distance(x + t * along)); }, slope,
                         {.step = 1e-3, .halvings = 8}))
        << x.transpose();
  });
}

TEST_P(AllShapes, HaveTheSecondDerivativeThatDifferencesGive) {
  for_smooth_places(3e-4, [&](const Vec3& x, const Vec3& along) {
    const Jet jet = shape_.distance_jet(x);
    EXPECT_LT((jet.hessian - jet.hessian.transpose()).norm(), 1e-12 * (1 + jet.hessian.norm()));
    const Vec3 slope = jet.hessian * along;
    const auto gradient = [&](double t) { return shape_.distance_jet(x + t * along).gradient; };
    if (slope.norm() > 1e-2) {
      const DerivativeCheck options{.step = 3e-4, .halvings = 6, .tolerance = 1e-5};
      EXPECT_TRUE(check_derivative([&](double t) -> Vector { return gradient(t); }, slope, options))
          << x.transpose();
    } else {
      EXPECT_LT((gradient(3e-4) - gradient(-3e-4)).norm() / 6e-4, 2e-2) << x.transpose();
    }
  });
}

TEST_P(AllShapes, GrowByOneForEveryMetreAwayFromTheSurface) {
  for_smooth_places(1e-3, [&](const Vec3& x, const Vec3&) {
    const double slope = shape_.distance_jet(x).gradient.norm();
    EXPECT_LT(slope, 1 + 1e-8) << x.transpose();
    EXPECT_GT(slope, tested_.exact ? 1 - 1e-8 : 0) << x.transpose();
  });
}

TEST_P(AllShapes, LieWithinTheirBounds) {
  const Bounds bounds = shape_.bounds();
  if (!bounds.sizes().allFinite()) return;
  Random random(3);
  int inside = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec3 x =
        bounds.center() + 1.5 * bounds.sizes().cwiseProduct(Vec3(
                                    random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5));
    if (shape_.distance(x) > 0) continue;
    ++inside;
    EXPECT_TRUE(bounds.contains(x)) << x.transpose();
  }
  EXPECT_GT(inside, 0);
}

TEST_P(AllShapes, AreFiniteEverywhere) {
  for (int k = 0; k < 1331; ++k) {
    const Vec3 x = 0.1 * Vec3(k % 11 - 5, k / 11 % 11 - 5, k / 121 - 5);
    EXPECT_TRUE(std::isfinite(shape_.distance(x))) << x.transpose();
  }
  for (const Vec3& x : {Vec3(0, 0, 0), Vec3(0, 0.1, 0), Vec3(0.2, 0, 0), Vec3(0, 0, 0.3),
                        Vec3(0.4, 0.3, 0.25), Vec3(1e6, -1e6, 1e6)}) {
    const Jet jet = shape_.distance_jet(x);
    EXPECT_TRUE(std::isfinite(jet.value) && jet.gradient.allFinite() && jet.hessian.allFinite())
        << x.transpose();
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, AllShapes, ::testing::Range<size_t>(0, all_shapes().size()),
                         [](const auto& tested) {
                           std::string name = all_shapes()[tested.param].name;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

TEST(Shapes, AreInsideWhereTheyShouldBe) {
  EXPECT_DOUBLE_EQ(make_sphere(2)->distance({0, 0, 5}), 3);
  EXPECT_DOUBLE_EQ(make_torus(1, 0.25)->distance({0, 0, 0}), 0.75);
  EXPECT_DOUBLE_EQ(make_box_shape({2, 2, 2}, 0)->distance({2, 2, 1}), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(make_plate({2, 1, 2}, 0.5)->distance({0, 0, 0}), 0.5);
  EXPECT_DOUBLE_EQ(make_cone(1, 0, 2)->distance({0, -1.5, 0}), 0.5);
  EXPECT_LT(make_bowl(1, 0.1, 0)->distance({0, -0.95, 0}), 0);
  EXPECT_GT(make_bowl(1, 0.1, 0)->distance({0, 0.95, 0}), 0);
  EXPECT_NEAR(make_ellipsoid({3, 2, 1})->distance({0, 0, 0}), -1, 1e-7);
  EXPECT_NEAR(make_ellipsoid({3, 2, 1})->distance({5, 0, 0}), 2, 1e-12);
}

TEST(Shapes, ASmoothUnionIsTwiceDifferentiableWhereItBegins) {
  const ShapePointer whole =
      blend(make_sphere(0.3), moved(make_sphere(0.3), 1, Eigen::Quaterniond::Identity(), {0.7, 0, 0}), 0.2);
  // On the x axis between the centres the distances differ by 2 x - 0.7.
  const double start = (0.7 - 0.2) / 2;
  const Jet before = whole->distance_jet({start - 1e-7, 0.1, 0}),
            after = whole->distance_jet({start + 1e-7, 0.1, 0});
  EXPECT_LT((before.hessian - after.hessian).norm(), 1e-4);
}

TEST(Shapes, RefuseSizesThatMakeNoSense) {
  EXPECT_NE(complaints_of([] { make_sphere(-1); }).find("radius is -1; it must be positive"),
            std::string::npos);
  EXPECT_NE(complaints_of([] { make_torus(1, 2); }).find("minor must be smaller"), std::string::npos);
  EXPECT_NE(complaints_of([] { make_plate({1, 1, 1}, 0.6); }).find("reaches the sides"), std::string::npos);
  EXPECT_NE(complaints_of([] {
              make_box_shape({1, 1, 1}, 0.6);
            }).find("half the smallest side"),
            std::string::npos);
  EXPECT_NE(complaints_of([] { make_bowl(1, 0.1, 1); }).find("rim is 1"), std::string::npos);
  EXPECT_NE(complaints_of([] { make_sphere(NAN); }).find("radius is nan"), std::string::npos);
}

}  // namespace
}  // namespace pliant::shapes_test
