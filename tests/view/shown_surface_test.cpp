#include "pliant/view/shown_surface.hpp"

#include "meshes.hpp"
#include "pliant/mesh/body_mesh.hpp"

namespace pliant::shown_surface_test {
namespace {

RunBody body(TetMesh rest, int first_vertex = 0) { return {"body", std::move(rest), first_vertex, {}}; }

TEST(ShownSurface, LeavesOutTheInsideOfASolid) {
  const ShownSurface surface = find_shown_surface(std::vector{body(testing::cube(3))});
  EXPECT_EQ(surface.vertex_of.size(), 4U * 4 * 4 - 2 * 2 * 2);
  EXPECT_EQ(surface.triangles.size(), 3U * 6 * 9 * 2);
  EXPECT_TRUE(surface.lines.empty());
}

TEST(ShownSurface, HasTheCornersOfItsTrianglesOnTheBoundary) {
  const TetMesh cube = testing::cube(3);
  const ShownSurface surface = find_shown_surface(std::vector{body(cube)});
  for (const std::uint32_t corner : surface.triangles) {
    ASSERT_LT(corner, surface.vertex_of.size());
    const Vec3 x = cube.vertices[surface.vertex_of[corner]];
    EXPECT_NEAR(x.cwiseAbs().maxCoeff(), 0.5, 1e-12);
  }
}

TEST(ShownSurface, NumbersTheVerticesOfLaterBodiesAfterThoseOfEarlierOnes) {
  const TetMesh cube = testing::cube(2), tet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};
  const int first = static_cast<int>(cube.vertices.size());
  const ShownSurface surface = find_shown_surface(std::vector{body(cube), body(tet, first)});
  ASSERT_EQ(surface.parts.size(), 2U);
  const ShownSurface::Part& part = surface.parts[1];
  EXPECT_EQ(part.first_vertex, 26U);
  EXPECT_EQ(part.vertices, 4U);
  EXPECT_EQ(part.first_triangle, 48U);
  EXPECT_EQ(part.triangles, 4U);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(surface.vertex_of[26 + i], static_cast<std::uint32_t>(first) + i);
  for (size_t i = 3 * part.first_triangle; i < surface.triangles.size(); ++i) {
    EXPECT_GE(surface.triangles[i], 26U);
    EXPECT_LT(surface.triangles[i], 30U);
  }
}

TEST(ShownSurface, OfASheetIsAllOfIt) {
  const TetMesh sheet =
      make_sheet({{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}}, 0.01);
  const ShownSurface surface = find_shown_surface(std::vector{body(sheet)});
  EXPECT_EQ(surface.vertex_of, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(surface.triangles, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
  EXPECT_TRUE(surface.lines.empty());
}

TEST(ShownSurface, OfAPlanarBodyIsAllOfIt) {
  TetMesh planar;
  planar.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  planar.triangles = {{0, 1, 2}};
  const ShownSurface surface = find_shown_surface(std::vector{body(planar)});
  EXPECT_EQ(surface.triangles, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(ShownSurface, OfAStrandAreItsLines) {
  TetMesh strand;
  strand.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  strand.edges = {{0, 1}, {1, 2}};
  const ShownSurface surface = find_shown_surface(std::vector{body(strand)});
  EXPECT_EQ(surface.lines, (std::vector<std::uint32_t>{0, 1, 1, 2}));
  EXPECT_TRUE(surface.triangles.empty());
  EXPECT_EQ(surface.parts[0].lines, 2U);
}

TEST(ShownSurface, TakesThePositionsOfShownVerticesOnly) {
  ShownSurface surface;
  surface.vertex_of = {2, 0};
  const std::vector<float> frame = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(surface.taken(frame), (std::vector<float>{6, 7, 8, 0, 1, 2}));
  EXPECT_EQ(surface.shown_numbers(3), (std::vector<std::int32_t>{1, -1, 0}));
}

}  // namespace
}  // namespace pliant::shown_surface_test
