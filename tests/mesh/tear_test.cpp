#include "pliant/mesh/tear.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <set>

#include "meshes.hpp"
#include "pliant/mesh/body_mesh.hpp"

namespace pliant::tear_test {
namespace {

/// Two rows of squares, each of two triangles: vertices 0 1 2 / 3 4 5 / 6 7 8.
TetMesh sheet() {
  TriangleMesh mesh;
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) mesh.vertices.emplace_back(x, y, 0);
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 2; ++x) {
      const int a = 3 * y + x;
      mesh.triangles.push_back({a, a + 1, a + 4});
      mesh.triangles.push_back({a, a + 4, a + 3});
    }
  return make_sheet(std::move(mesh), 0.01);
}

std::vector<char> marked(size_t count, std::initializer_list<size_t> cells) {
  std::vector<char> gone(count, 0);
  for (const size_t cell : cells) gone[cell] = 1;
  return gone;
}

TEST(Tear, MeasuresTheLargestSingularValue) {
  TetMesh mesh = testing::cube(2);
  const Mat3 F = (Mat3() << 1.2, 0.3, -0.1, 0.2, 0.9, 0.4, 0, -0.2, 1.1).finished();
  const double expected = Eigen::JacobiSVD<Mat3>(F).singularValues()[0];
  Vector x = testing::positions(mesh);
  for (Index i = 0; i < x.size(); i += 3) x.segment<3>(i) = (F * x.segment<3>(i)).eval();
  for (const double stretch : largest_stretches(mesh, x.data())) EXPECT_NEAR(stretch, expected, 1e-12);

  const TetMesh flat = sheet();
  x = testing::positions(flat);
  for (Index i = 0; i < x.size(); i += 3) x.segment<3>(i) = (F * x.segment<3>(i)).eval();
  const double in_plane = Eigen::JacobiSVD<Eigen::Matrix<double, 3, 2>>(F.leftCols<2>()).singularValues()[0];
  for (const double stretch : largest_stretches(flat, x.data())) EXPECT_NEAR(stretch, in_plane, 1e-12);

  TetMesh strand{.vertices = {{0, 0, 0}, {2, 0, 0}}, .tets = {}, .edges = {{0, 1}}};
  const double ends[] = {0, 0, 0, 0, 3, 0};
  EXPECT_DOUBLE_EQ(largest_stretches(strand, ends)[0], 1.5);
}

TEST(Tear, LeavesTheRestAsItIs) {
  const TetMesh mesh = sheet();
  const TornMesh torn = without_cells(mesh, marked(8, {0}));
  EXPECT_EQ(torn.mesh.triangles.size(), 7U);
  EXPECT_EQ(torn.mesh.vertices.size(), 9U) << "nothing hangs by one vertex";
  EXPECT_EQ(torn.mesh.edges.size(), mesh.edges.size() - 1) << "only the edge at the corner has gone";
  EXPECT_EQ(torn.mesh.thickness, 0.01);
}

TEST(Tear, SplitsVerticesThatHoldPartsTogether) {
  // Of the triangles around the middle, 4, those at its left and right are left: 1 and 6 hold on to it alone.
  const TetMesh mesh = sheet();
  std::vector<char> gone(8, 1);
  gone[1] = gone[6] = 0;
  ASSERT_EQ(mesh.triangles[1], (std::array<int, 3>{0, 4, 3}));
  ASSERT_EQ(mesh.triangles[6], (std::array<int, 3>{4, 5, 8}));
  const TornMesh torn = without_cells(mesh, gone);
  EXPECT_EQ(torn.mesh.vertices.size(), 6U);
  EXPECT_EQ(torn.origin, (std::vector<int>{0, 3, 4, 5, 8, 4}));
  std::set<int> first(torn.mesh.triangles[0].begin(), torn.mesh.triangles[0].end());
  for (const int vertex : torn.mesh.triangles[1]) EXPECT_FALSE(first.contains(vertex));
  for (size_t i = 0; i < torn.origin.size(); ++i)
    EXPECT_EQ(torn.mesh.vertices[i], mesh.vertices[torn.origin[i]]);
}

TEST(Tear, SplitsSolidsThatHangByAnEdge) {
  // Two tetrahedra with the edge 0 1 in common, and one between them that goes.
  TetMesh mesh{.vertices = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}},
               .tets = {{0, 1, 2, 3}, {0, 1, 3, 4}, {0, 1, 4, 5}}};
  const TornMesh torn = without_cells(mesh, marked(3, {1}));
  EXPECT_EQ(torn.mesh.tets.size(), 2U);
  EXPECT_EQ(torn.mesh.vertices.size(), 8U);
  std::set<int> first(torn.mesh.tets[0].begin(), torn.mesh.tets[0].end());
  for (const int vertex : torn.mesh.tets[1]) EXPECT_FALSE(first.contains(vertex));
}

TEST(Tear, KeepsTheMassOfWhatStays) {
  const TetMesh mesh = testing::cube(3);
  std::vector<char> gone(mesh.tets.size(), 0);
  for (size_t c = 0; c < gone.size(); c += 3) gone[c] = 1;
  const TornMesh torn = without_cells(mesh, gone);
  double expected = 0, found = 0;
  for (size_t c = 0; c < gone.size(); ++c) {
    const auto& [a, b, d, e] = mesh.tets[c];
    if (!gone[c])
      expected += signed_volume(mesh.vertices[a], mesh.vertices[b], mesh.vertices[d], mesh.vertices[e]);
  }
  for (const double mass : lumped_masses(torn.mesh, 1)) {
    EXPECT_GT(mass, 0);
    found += mass;
  }
  EXPECT_NEAR(found, expected, 1e-12);
}

/// What hangs by a vertex from the start does so as long as nothing tears there.
TEST(Tear, LeavesWhatIsFarFromIt) {
  const std::vector<Vec3> vertices = {{0, 0, 0},  {1, 0, 0}, {0, 1, 0}, {-1, 0, 0},
                                      {0, -1, 0}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0}};
  const TetMesh mesh = make_sheet({vertices, {{0, 1, 2}, {0, 3, 4}, {5, 6, 7}}}, 1);
  EXPECT_EQ(without_cells(mesh, marked(3, {2})).mesh.vertices.size(), 5U);
}

TEST(Tear, CutsStrands) {
  TetMesh strand{.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}},
                 .tets = {},
                 .edges = {{0, 1}, {1, 2}, {2, 3}}};
  const TornMesh torn = without_cells(strand, marked(3, {2}));
  EXPECT_EQ(torn.mesh.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}}));
  EXPECT_EQ(torn.origin, (std::vector<int>{0, 1, 2})) << "the end without an edge has gone";
}

}  // namespace
}  // namespace pliant::tear_test
