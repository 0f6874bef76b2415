#include "pliant/mesh/delaunay.hpp"

#include "mesh/surface_checks.hpp"
#include "pliant/base/random.hpp"

namespace pliant::delaunay_test {
namespace {

using Points = std::vector<Eigen::Vector2d>;
using Triangles = std::vector<std::array<int, 3>>;

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

double area_of(const Points& points, const Triangles& triangles) {
  double sum = 0;
  for (const auto& t : triangles) sum += cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]]) / 2;
  return sum;
}

/// The largest depth of a point in the circle of a triangle, in radii of the circle.
double deepest_in_a_circle(const Points& points, const Triangles& triangles) {
  double deepest = -1;
  for (const auto& t : triangles) {
    const Eigen::Vector2d b = points[t[1]] - points[t[0]], c = points[t[2]] - points[t[0]];
    const double d = 2 * cross(b, c);
    const Eigen::Vector2d centre = Eigen::Vector2d(c.y() * b.squaredNorm() - b.y() * c.squaredNorm(),
                                                   b.x() * c.squaredNorm() - c.x() * b.squaredNorm()) /
                                   d;
    for (const Eigen::Vector2d& point : points)
      deepest = std::max(deepest, 1 - (point - points[t[0]] - centre).norm() / centre.norm());
  }
  return deepest;
}

Points random_points(int count, std::uint64_t seed) {
  Random random(seed);
  Points points;
  for (int i = 0; i < count; ++i) points.emplace_back(random.uniform(), random.uniform());
  return points;
}

TEST(Delaunay, LeavesEveryCircleEmpty) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Points points = random_points(300, seed);
    const Triangles triangles = delaunay_triangles(points);
    EXPECT_TRUE(is_oriented_manifold(triangles));
    // A triangle on the hull may be so thin that its circle is known only roughly.
    EXPECT_LT(deepest_in_a_circle(points, triangles), 1e-4);
    const int hull = boundary_edge_count(triangles);
    EXPECT_EQ(static_cast<int>(triangles.size()), 2 * 300 - 2 - hull) << "Euler's formula";
  }
}

TEST(Delaunay, FillsASquareOfPointsInRows) {
  // Every cell has four points on one circle, the sides have points in a row.
  Points points;
  for (int j = 0; j <= 12; ++j)
    for (int i = 0; i <= 12; ++i) points.emplace_back(i, j);
  const Triangles triangles = delaunay_triangles(points);
  EXPECT_EQ(triangles.size(), 2U * 12 * 12);
  EXPECT_TRUE(is_oriented_manifold(triangles));
  EXPECT_DOUBLE_EQ(area_of(points, triangles), 144);
  EXPECT_LT(deepest_in_a_circle(points, triangles), 1e-12);
}

TEST(Delaunay, JoinsPointsOnACircleToOneMiddle) {
  Points points = {{0.1, 0.05}};
  for (int i = 0; i < 40; ++i)
    points.emplace_back(std::cos(i * std::numbers::pi / 20), std::sin(i * std::numbers::pi / 20));
  const Triangles triangles = delaunay_triangles(points);
  EXPECT_EQ(triangles.size(), 40U);
  for (const auto& t : triangles) EXPECT_EQ(t[0], 0);
}

TEST(Delaunay, IsTheSameForPointsInAnyOrder) {
  const Points points = random_points(100, 9);
  Points backward(points.rbegin(), points.rend());
  std::set<std::set<int>> a, b;
  for (const auto& t : delaunay_triangles(points)) a.insert({t[0], t[1], t[2]});
  for (const auto& t : delaunay_triangles(backward)) b.insert({99 - t[0], 99 - t[1], 99 - t[2]});
  EXPECT_EQ(a, b);
}

TEST(Delaunay, RefusesPointsWithoutATriangle) {
  EXPECT_NE(complaints_of([] { delaunay_triangles(Points{{0, 0}, {1, 1}}); }), "");
  EXPECT_NE(complaints_of([] { delaunay_triangles(Points{{0, 0}, {1, 1}, {2, 2}, {3, 3}}); }), "");
  EXPECT_NE(complaints_of([] { delaunay_triangles(Points{{0, 0}, {1, 1}, {1, 0}, {1, 1}}); }), "");
  EXPECT_NE(complaints_of([] { delaunay_triangles(Points{{0, 0}, {1, NAN}, {1, 0}}); }), "");
}

}  // namespace
}  // namespace pliant::delaunay_test
