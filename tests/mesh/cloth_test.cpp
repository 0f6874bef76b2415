#include "pliant/mesh/cloth.hpp"

#include "mesh/surface_checks.hpp"

namespace pliant::cloth_test {
namespace {

void expect_flat_disc_facing_up(const TriangleMesh& cloth) {
  for (const Vec3& x : cloth.vertices) EXPECT_EQ(x.y(), 0);
  for (const auto& t : cloth.triangles) EXPECT_GT(area_vector(cloth.vertices, t).y(), 0);
  EXPECT_TRUE(is_oriented_manifold(cloth.triangles));
  EXPECT_EQ(euler_characteristic(cloth), 1);
}

constexpr ClothPattern kPatterns[] = {ClothPattern::kRegular, ClothPattern::kAlternating,
                                      ClothPattern::kDelaunay};

TEST(ClothRectangle, FillsItsAreaFacingUpInEveryPattern) {
  for (const ClothPattern pattern : kPatterns) {
    const TriangleMesh cloth = make_cloth_rectangle({{2, 1.5}, {20, 15}, pattern});
    expect_flat_disc_facing_up(cloth);
    EXPECT_NEAR(area(cloth.vertices, cloth.triangles), 3, 1e-13);
    EXPECT_EQ(boundary_edge_count(cloth.triangles), 70);
  }
}

TEST(ClothRectangle, OfCellsHasTwoTrianglesACell) {
  const TriangleMesh regular = make_cloth_rectangle({{2, 1}, {4, 3}, ClothPattern::kRegular});
  EXPECT_EQ(regular.vertices.size(), 20U);
  EXPECT_EQ(regular.triangles.size(), 24U);
  const auto longest_with = [](const TriangleMesh& cloth, int sign) {
    int count = 0;  // of diagonals that go one way
    for (const auto& [a, b] : undirected_edges(cloth.triangles)) {
      const Vec3 edge = cloth.vertices[b] - cloth.vertices[a];
      count += edge.x() * edge.z() * sign > 1e-9;
    }
    return count;
  };
  EXPECT_EQ(longest_with(regular, 1) * longest_with(regular, -1), 0) << "one direction only";
  EXPECT_EQ(longest_with(regular, 1) + longest_with(regular, -1), 12);
  const TriangleMesh alternating = make_cloth_rectangle({{2, 1}, {4, 3}, ClothPattern::kAlternating});
  EXPECT_EQ(longest_with(alternating, 1), 6);
  EXPECT_EQ(longest_with(alternating, -1), 6);
}

TEST(ClothRectangle, OfAnIrregularPatternHasNoSharpAngles) {
  const std::array<int, 2> counts[] = {{1, 1}, {2, 1}, {3, 3}, {20, 15}, {7, 40}, {33, 50}, {64, 64}};
  for (const auto& cells : counts) {
    const TriangleMesh cloth =
        make_cloth_rectangle({{0.1 * cells[0], 0.1 * cells[1]}, cells, ClothPattern::kDelaunay});
    EXPECT_GE(smallest_angle_in_degrees(cloth), 20) << cells[0] << " x " << cells[1];
    expect_flat_disc_facing_up(cloth);
  }
  for (const double aspect : {0.7, 1.3, 1.49})
    EXPECT_GE(
        smallest_angle_in_degrees(make_cloth_rectangle({{1, aspect}, {20, 20}, ClothPattern::kDelaunay})), 20)
        << aspect;
}

TEST(ClothRectangle, OfAnIrregularPatternPrefersNoDirection) {
  const TriangleMesh cloth = make_cloth_rectangle({{1, 1}, {40, 40}, ClothPattern::kDelaunay});
  std::array<int, 6> sectors{};  // of 30 degrees
  for (const auto& [a, b] : undirected_edges(cloth.triangles)) {
    const Vec3 edge = cloth.vertices[b] - cloth.vertices[a];
    const double angle = std::atan2(edge.z(), edge.x()) / std::numbers::pi + 1;
    ++sectors[static_cast<size_t>(std::floor(angle * 6)) % 6];
  }
  const auto [least, most] = std::minmax_element(sectors.begin(), sectors.end());
  EXPECT_LT(*most, 1.3 * *least);
}

TEST(ClothRectangle, RefusesWhatIsNoCloth) {
  EXPECT_NE(complaints_of([] { make_cloth_rectangle({{0, 1}}); }), "");
  EXPECT_NE(complaints_of([] { make_cloth_rectangle({{1, INFINITY}}); }), "");
  EXPECT_NE(complaints_of([] { make_cloth_rectangle({{1, 1}, {0, 1}}); }), "");
  EXPECT_TRUE(says(complaints_of([] {
                     make_cloth_rectangle({{1, 1}, {1'000'000, 1'000'000}});
                   }),
                   {"vertices"}));
  EXPECT_TRUE(says(complaints_of([] {
                     make_cloth_rectangle({{1, 1}, {20, 10}, ClothPattern::kDelaunay});
                   }),
                   {"use 20 cells along x and 20 along z"}));
}

TEST(ClothDisc, OfRingsHasSixTrianglesMoreARing) {
  const TriangleMesh cloth = make_cloth_disc({1, 0.1, DiscPattern::kRings});
  EXPECT_EQ(cloth.vertices.size(), 1U + 3 * 10 * 11);
  EXPECT_EQ(cloth.triangles.size(), 6U * 10 * 10);
  expect_flat_disc_facing_up(cloth);
  EXPECT_GE(smallest_angle_in_degrees(cloth), 40);
  // The area of the regular polygon of 60 corners.
  EXPECT_NEAR(area(cloth.vertices, cloth.triangles), 30 * std::sin(std::numbers::pi / 30), 1e-12);
}

TEST(ClothDisc, OfAnIrregularPatternHasNoSharpAnglesAndAnEvenEdge) {
  for (const double cell : {1.0, 0.5, 0.3, 0.1, 0.04, 0.031}) {
    const TriangleMesh cloth = make_cloth_disc({1, cell, DiscPattern::kDelaunay});
    expect_flat_disc_facing_up(cloth);
    EXPECT_GE(smallest_angle_in_degrees(cloth), 20) << cell;
    const int corners = static_cast<int>(std::round(2 * std::numbers::pi / cell));
    EXPECT_EQ(boundary_edge_count(cloth.triangles), corners);
    for (int i = 0; i < corners; ++i) {
      const double edge = (cloth.vertices[(i + 1) % corners] - cloth.vertices[i]).norm();
      EXPECT_NEAR(edge, 2 * std::sin(std::numbers::pi / corners), 1e-14);
    }
    EXPECT_NEAR(area(cloth.vertices, cloth.triangles),
                corners / 2.0 * std::sin(2 * std::numbers::pi / corners), 1e-12);
  }
}

TEST(ClothDisc, RefusesWhatIsNoDisc) {
  EXPECT_NE(complaints_of([] { make_cloth_disc({-1, 0.1}); }), "");
  EXPECT_NE(complaints_of([] { make_cloth_disc({1, 0}); }), "");
  EXPECT_NE(complaints_of([] { make_cloth_disc({1, 2}); }), "");
  EXPECT_NE(complaints_of([] { make_cloth_disc({1, 1e-9}); }), "");
}

}  // namespace
}  // namespace pliant::cloth_test
