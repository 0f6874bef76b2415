#include "pliant/mesh_file/polygon.hpp"

#include "mesh/surface_checks.hpp"

namespace pliant::polygon_test {
namespace {

using Triangles = std::vector<std::array<int, 3>>;

Triangles cut(const std::vector<Vec3>& outline) {
  PolygonList list;
  for (size_t i = 0; i < outline.size(); ++i) list.corners.push_back(static_cast<int>(i));
  list.end_polygon();
  return triangulate(list, outline, "a.obj");
}

/// Triangles that all turn as the outline does fill it without overlap exactly if their areas add up to its
/// own.
void expect_fills(const std::vector<Vec3>& outline, const Vec3& area_of_outline) {
  const Triangles triangles = cut(outline);
  ASSERT_EQ(triangles.size(), outline.size() - 2);
  EXPECT_TRUE(is_oriented_manifold(triangles));
  double sum = 0;
  for (const auto& t : triangles) {
    const Vec3 part = area_vector(outline, t);
    EXPECT_GT(part.dot(area_of_outline), 0);
    sum += part.norm();
  }
  EXPECT_NEAR(sum, area_of_outline.norm(), 1e-12);
}

TEST(Polygons, ThatAreConvexBecomeFans) {
  EXPECT_EQ(cut({{0, 0, 0}, {2, 0, 0}, {3, 1, 0}, {2, 2, 0}, {0, 2, 0}}),
            (Triangles{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
}

TEST(Polygons, WithADentAreCutAtTheDent) {
  // Corner 1 points inward: a fan around corner 0 would leave the outline.
  expect_fills({{0, 0, 0}, {1, 0.5, 0}, {2, 0, 0}, {1, 2, 0}}, Vec3(0, 0, 1.5));
  EXPECT_EQ(cut({{0, 0, 0}, {2, 0, 0}, {0.5, 0.5, 0}, {0, 2, 0}}).size(), 2U);
  expect_fills({{0, 0, 0}, {2, 0, 0}, {0.5, 0.5, 0}, {0, 2, 0}}, Vec3(0, 0, 1));
}

TEST(Polygons, AreFilledWhicheverWayTheyTurnAndLie) {
  const std::vector<Vec3> letter = {{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1, 1, 0},
                                    {1, 2, 0}, {3, 2, 0}, {3, 3, 0}, {0, 3, 0}};
  for (int k = 0; k < 3; ++k) {
    std::vector<Vec3> outline = letter, backward(letter.rbegin(), letter.rend());
    for (Vec3& x : outline) std::rotate(x.begin(), x.begin() + k, x.end());
    for (Vec3& x : backward) std::rotate(x.begin(), x.begin() + k, x.end());
    Vec3 normal(0, 0, 7);
    std::rotate(normal.begin(), normal.begin() + k, normal.end());
    expect_fills(outline, normal);
    expect_fills(backward, -normal);
  }
}

TEST(Polygons, WithCornersInARowGiveNoTriangleWithoutArea) {
  expect_fills({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}}, Vec3(0, 0, 1));
  expect_fills({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}},
               Vec3(0, 0, 4));
}

TEST(Polygons, WithHugeCoordinatesAreCutToo) {
  EXPECT_EQ(cut({{0, 0, 0}, {1.7e308, 0, 0}, {4e307, 4e307, 0}, {0, 1.7e308, 0}}).size(), 2U);
}

TEST(Polygons, ThatCrossThemselvesOrHaveNoAreaStillBecomeTriangles) {
  EXPECT_EQ(cut({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}).size(), 2U);
  EXPECT_EQ(cut(std::vector<Vec3>(5, Vec3::Zero())).size(), 3U);
}

TEST(Polygons, WithTooManyCornersAreRefusedUnlessConvex) {
  std::vector<Vec3> outline;
  for (int i = 0; i < 2000; ++i) outline.emplace_back(std::cos(i * 3.141e-3), std::sin(i * 3.141e-3), 0);
  EXPECT_EQ(cut(outline).size(), 1998U);
  outline[1000] *= 0.5;
  EXPECT_TRUE(says(complaints_of([&] { cut(outline); }), {"a.obj", "2000 corners", "not convex"}));
}

}  // namespace
}  // namespace pliant::polygon_test
