#include "pliant/mesh/merge.hpp"

#include "mesh/surface_checks.hpp"

namespace pliant::merge_test {
namespace {

TEST(MergedVertices, KeepTheOrderOfTheirFirstAppearance) {
  const MeshContents mesh{
      {{1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {-0.0, 0, 0}, {0, 1, 0}}, {{0, 1, 3, 4}}, {{0, 1, 4}, {4, 3, 2}}, {}};
  const MeshContents merged = merge_equal_vertices(mesh);
  EXPECT_EQ(merged.vertices, (std::vector<Vec3>{{1, 0, 0}, {0, 0, 0}, {0, 1, 0}}));
  EXPECT_EQ(merged.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {2, 1, 0}}));
  EXPECT_EQ(merged.tets, (std::vector<std::array<int, 4>>{{0, 1, 1, 2}}));
}

TEST(MergedVertices, StayApartWhereTheirFieldsDiffer) {
  MeshContents mesh{{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {}, {{0, 1, 2}}, {{"pin", 1, {0, 1, 0}}}};
  const MeshContents merged = merge_equal_vertices(mesh);
  EXPECT_EQ(merged.vertices.size(), 2U);
  EXPECT_EQ(merged.triangles[0], (std::array<int, 3>{0, 1, 0}));
  EXPECT_EQ(merged.fields[0], (PointData{"pin", 1, {0, 1}}));
}

}  // namespace
}  // namespace pliant::merge_test
