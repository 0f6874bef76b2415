#include <limits>

#include "mesh/mesh_checks.hpp"

namespace pliant::defects_test {
namespace {

using Sentences = std::vector<std::string>;

TEST(Defects, AreNoneInAFitMesh) { EXPECT_EQ(find_defects(one_tet()), Sentences{}); }

TEST(Defects, NameAMeshWithoutElements) {
  EXPECT_EQ(find_defects({}), Sentences{"The mesh has no elements."});
}

TEST(Defects, NameElementsWithVerticesThatDoNotExist) {
  TetMesh mesh = one_tet();
  mesh.tets.push_back({0, 1, 2, 4});
  mesh.tets.push_back({-1, 1, 2, 3});
  EXPECT_EQ(find_defects(mesh),
            Sentences{"2 elements name a vertex that does not exist: 1, 2; the mesh has 4 "
                      "vertices, counted from 0."});
}

TEST(Defects, NameVerticesThatAreNotFinite) {
  TetMesh mesh = one_tet();
  mesh.vertices[2].y() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(find_defects(mesh),
            Sentences{"1 vertex has a coordinate that is not finite: 2; every coordinate must be a number."});
}

TEST(Defects, NameFlatElements) {
  TetMesh mesh = one_tet();
  mesh.tets.push_back({0, 1, 2, 2});
  mesh.tets.push_back({1, 1, 1, 1});
  EXPECT_EQ(find_defects(mesh),
            Sentences{"2 elements have zero volume: 1, 2 (counted from 0); remove them or move their "
                      "corners apart."});
}

TEST(Defects, NameInvertedElementsAndShortenALongList) {
  TetMesh mesh = one_tet();
  for (int i = 0; i < 7; ++i) mesh.tets.push_back({0, 2, 1, 3});
  EXPECT_EQ(
      find_defects(mesh),
      Sentences{"7 inverted elements: 1, 2, 3, 4, 5 and 2 more (counted from 0); swap two corners of each."});
}

TEST(Defects, NameVerticesInNoElement) {
  TetMesh mesh = one_tet();
  mesh.vertices.push_back({1, 1, 1});
  EXPECT_EQ(find_defects(mesh),
            Sentences{"1 vertex is in no element: 4 (counted from 0); remove them, or mesh the "
                      "volume they belong to."});
}

TEST(Defects, AreReportedAllAtOnce) {
  TetMesh mesh = one_tet();
  mesh.vertices.push_back({1, NAN, 1});
  mesh.tets.push_back({0, 2, 1, 3});
  mesh.tets.push_back({0, 1, 2, 9});
  EXPECT_EQ(find_defects(mesh).size(), 4u);
}

class ScaledElement : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(TinyAndHuge, ScaledElement,
                         ::testing::Values(1e-300, 1e-100, 1e-9, 1.0, 1e9, 1e100, 1e300));

TEST_P(ScaledElement, IsFitWhateverItsSize) {
  TetMesh mesh = one_tet();
  for (Vec3& x : mesh.vertices) x *= GetParam();
  EXPECT_EQ(find_defects(mesh), Sentences{});
}

TEST_P(ScaledElement, IsFlatBelowTheToleranceWhateverItsSize) {
  TetMesh mesh = one_tet();
  mesh.vertices[3].z() = 1e-13;
  for (Vec3& x : mesh.vertices) x *= GetParam();
  EXPECT_EQ(find_defects(mesh).size(), 1u);
}

}  // namespace
}  // namespace pliant::defects_test
