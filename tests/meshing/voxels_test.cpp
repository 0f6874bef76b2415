#include "pliant/meshing/voxels.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <numbers>

#include "mesh/mesh_checks.hpp"
#include "pliant/mesh/box.hpp"
#include "pliant/shape/shapes.hpp"

namespace pliant::voxels_test {
namespace {

TEST(Voxels, AreThoseOfAGridWhoseCentresAreInside) {
  const TetMesh mesh = make_voxels(*make_sphere(1), 0.25);
  size_t inside = 0;
  for (int i = -4; i < 4; ++i)
    for (int j = -4; j < 4; ++j)
      for (int k = -4; k < 4; ++k) inside += 0.25 * (Vec3(i, j, k) + Vec3::Constant(0.5)).norm() < 1;
  EXPECT_EQ(mesh.hexes.size(), inside);
  EXPECT_EQ(mesh.tets.size(), 5 * inside);
  for (const auto& hex : mesh.hexes) {
    Vec3 center = Vec3::Zero();
    for (const int corner : hex) center += mesh.vertices[corner] / 8;
    EXPECT_LT(center.norm(), 1);
    EXPECT_LT((mesh.vertices[hex[7]] - mesh.vertices[hex[0]] - Vec3::Constant(0.25)).norm(), 1e-12);
  }
}

TEST(Voxels, HaveTheVolumeOfTheShapeWhereCellsAreSmall) {
  const double exact = 4 * std::numbers::pi / 3;
  for (const double cell : {0.1, 0.05}) {
    const TetMesh mesh = make_voxels(*make_sphere(1), cell);
    EXPECT_NEAR(volume(mesh), std::pow(cell, 3) * static_cast<double>(mesh.hexes.size()), 1e-9);
    EXPECT_NEAR(volume(mesh), exact, 0.2 * cell * exact);
  }
}

TEST(Voxels, ShareTheCornersInWhichTheyMeet) {
  const TetMesh mesh = make_voxels(*make_sphere(1), 0.3);
  std::map<std::array<long, 3>, int> places;
  for (const Vec3& vertex : mesh.vertices)
    ++places[{std::lround(vertex.x() / 0.15), std::lround(vertex.y() / 0.15),
              std::lround(vertex.z() / 0.15)}];
  EXPECT_EQ(places.size(), mesh.vertices.size());
  std::vector<int> uses(mesh.vertices.size());
  for (const auto& hex : mesh.hexes)
    for (const int corner : hex) ++uses[static_cast<size_t>(corner)];
  for (const int count : uses) EXPECT_GT(count, 0);
  EXPECT_EQ(find_defects(mesh), std::vector<std::string>{});
}

TEST(Voxels, FillABoxThatTheyFit) {
  const TetMesh mesh = make_voxels(*make_box_shape({1, 0.5, 0.25}, 0), 0.125);
  EXPECT_EQ(mesh.hexes.size(), 8u * 4 * 2);
  EXPECT_NEAR(volume(mesh), 0.125, 1e-12);
}

TEST(Hexahedra, AreFoundInTheTetrahedraThatTheyWereCutInto) {
  TetMesh six = make_box({.size = {1, 2, 3}, .cells = {3, 2, 4}, .tets_per_cell = 6, .hexahedra = true});
  const Eigen::AngleAxisd turn(0.7, Vec3(1, 2, -1).normalized());
  for (Vec3& vertex : six.vertices) vertex = turn * vertex + Vec3(100, 0, -5);
  for (const TetMesh& mesh :
       {make_box({.cells = {3, 4, 5}, .hexahedra = true}), six, make_voxels(*make_torus(1, 0.3), 0.2)})
    EXPECT_EQ(find_hexes(mesh), mesh.hexes);
}

TEST(Hexahedra, AreNotFoundWhereThereWereNone) {
  EXPECT_TRUE(find_hexes(TetMesh()).empty());
  TetMesh mesh = make_box({.cells = {2, 2, 2}});
  mesh.tets.pop_back();
  EXPECT_TRUE(find_hexes(mesh).empty()) << "a part of one is left";
  mesh = make_box({.cells = {2, 2, 2}});
  mesh.vertices[13] += Vec3(0.1, 0, 0);
  EXPECT_TRUE(find_hexes(mesh).empty()) << "these are no bricks";
}

TEST(VoxelMistakes, AreCellsTooLargeAndTooManyOfThem) {
  EXPECT_NE(complaints_of([] { make_voxels(*make_sphere(1e-3), 1e-8); }).find("use larger ones"),
            std::string::npos);
  const auto ring = make_torus(1, 0.1);
  EXPECT_NE(complaints_of([&] { make_voxels(*ring, 5); }).find("no centre is inside"), std::string::npos);
}

}  // namespace
}  // namespace pliant::voxels_test
