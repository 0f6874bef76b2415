#include <Eigen/Geometry>
#include <map>

#include "mesh/mesh_checks.hpp"
#include "pliant/mesh/box.hpp"

namespace pliant::surface_test {
namespace {

class SurfaceOfBox : public ::testing::TestWithParam<int> {
 protected:
  TetMesh mesh_ = make_box({{2, 1, 0.5}, {4, 3, 2}, GetParam()});
  Surface surface_ = extract_surface(mesh_);
};
INSTANTIATE_TEST_SUITE_P(FiveAndSix, SurfaceOfBox, ::testing::Values(5, 6));

TEST_P(SurfaceOfBox, IsClosedAndConsistentlyOriented) {
  // In a closed oriented surface each directed edge occurs once, and its reverse once.
  std::map<std::pair<int, int>, int> edges;
  for (const auto& t : surface_.mesh.triangles) {
    for (int i = 0; i < 3; ++i) ++edges[{t[i], t[(i + 1) % 3]}];
  }
  ASSERT_FALSE(edges.empty());
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
  }
}

TEST_P(SurfaceOfBox, EnclosesTheVolumeByTheDivergenceTheorem) {
  double enclosed = 0;
  for (const auto& t : surface_.mesh.triangles) {
    const Vec3 &a = surface_.mesh.vertices[t[0]], &b = surface_.mesh.vertices[t[1]],
               &c = surface_.mesh.vertices[t[2]];
    enclosed += a.dot(b.cross(c)) / 6;
  }
  EXPECT_NEAR(enclosed, 1.0, 1e-14);
}

TEST_P(SurfaceOfBox, HasTwoTrianglesForEverySideOfACell) {
  EXPECT_EQ(surface_.mesh.triangles.size(), 2u * 2 * (4 * 3 + 3 * 2 + 4 * 2));
}

TEST_P(SurfaceOfBox, VerticesKnowWhereTheyCameFromInIncreasingOrder) {
  ASSERT_EQ(surface_.vertex_of.size(), surface_.mesh.vertices.size());
  EXPECT_EQ(surface_.mesh.vertices.size(), 5u * 4 * 3 - 3 * 2 * 1);
  for (size_t v = 0; v < surface_.vertex_of.size(); ++v) {
    EXPECT_EQ(surface_.mesh.vertices[v], mesh_.vertices[surface_.vertex_of[v]]);
  }
  for (size_t v = 1; v < surface_.vertex_of.size(); ++v) {
    EXPECT_LT(surface_.vertex_of[v - 1], surface_.vertex_of[v]);
  }
}

TEST(SurfaceOfTwoElements, IsOrderedByElementThenFace) {
  TetMesh mesh = one_tet();
  mesh.vertices.push_back({1, 1, 1});
  mesh.tets.push_back({4, 1, 3, 2});
  ASSERT_GT(signed_volume(mesh.vertices[4], mesh.vertices[1], mesh.vertices[3], mesh.vertices[2]), 0);
  const std::vector<std::array<int, 3>> expected{{0, 3, 2}, {0, 1, 3}, {0, 2, 1},
                                                 {4, 2, 3}, {4, 1, 2}, {4, 3, 1}};
  EXPECT_EQ(extract_surface(mesh).mesh.triangles, expected);
}

TEST(SurfaceOfNothing, IsEmpty) { EXPECT_TRUE(extract_surface({}).mesh.triangles.empty()); }

TEST(LumpedMasses, SumToDensityTimesVolume) {
  double sum = 0;
  for (const double mass : lumped_masses(make_box({{2, 1, 0.5}, {4, 3, 2}, 5}), 1000)) sum += mass;
  EXPECT_NEAR(sum, 1000.0, 1e-10);
}

TEST(LumpedMasses, AreSharedEquallyByTheCornersOfAnElement) {
  EXPECT_EQ(lumped_masses(one_tet(), 24), (std::vector<double>{1, 1, 1, 1}));
}

}  // namespace
}  // namespace pliant::surface_test
