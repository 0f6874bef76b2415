#include "pliant/mesh/box.hpp"

#include <limits>
#include <map>

#include "mesh/mesh_checks.hpp"

namespace pliant::box_test {
namespace {

class Box : public ::testing::TestWithParam<int> {
 protected:
  BoxShape shape_{{2, 1, 0.5}, {5, 3, 4}, GetParam()};
};
INSTANTIATE_TEST_SUITE_P(FiveAndSix, Box, ::testing::Values(5, 6));

TEST_P(Box, VolumesSumToThatOfTheBox) { EXPECT_NEAR(volume(make_box(shape_)), 1.0, 1e-14); }

TEST_P(Box, EveryElementIsPositivelyOriented) {
  const TetMesh mesh = make_box(shape_);
  for (const auto& t : mesh.tets) {
    EXPECT_GT(
        signed_volume(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], mesh.vertices[t[3]]), 0);
  }
}

TEST_P(Box, HasTheStatedNumbersOfVerticesAndElements) {
  const TetMesh mesh = make_box(shape_);
  EXPECT_EQ(mesh.vertices.size(), 6u * 4 * 5);
  EXPECT_EQ(mesh.tets.size(), 5u * 3 * 4 * GetParam());
}

TEST_P(Box, InnerFacesAreSharedByTwoElementsAndOuterOnesLieOnTheSides) {
  const TetMesh mesh = make_box(shape_);
  std::map<std::array<int, 3>, int> uses;
  for (const auto& t : mesh.tets) {
    for (int left_out = 0; left_out < 4; ++left_out) {
      std::array<int, 3> face{t[(left_out + 1) % 4], t[(left_out + 2) % 4], t[(left_out + 3) % 4]};
      std::sort(face.begin(), face.end());
      ++uses[face];
    }
  }
  for (const auto& [face, count] : uses) {
    bool on_side = false;
    for (int axis = 0; axis < 3; ++axis) {
      const double at = mesh.vertices[face[0]][axis];
      on_side |= std::abs(at) == shape_.size[axis] / 2 && at == mesh.vertices[face[1]][axis] &&
                 at == mesh.vertices[face[2]][axis];
    }
    EXPECT_EQ(count, on_side ? 1 : 2);
  }
}

TEST_P(Box, HasNoDefects) { EXPECT_EQ(find_defects(make_box(shape_)), std::vector<std::string>{}); }

TEST(BoxVertices, AreOrderedWithXFastestThenYThenZ) {
  const TetMesh mesh = make_box({{2, 4, 6}, {2, 2, 2}, 5});
  EXPECT_EQ(mesh.vertices[0], Vec3(-1, -2, -3));
  EXPECT_EQ(mesh.vertices[1], Vec3(0, -2, -3));
  EXPECT_EQ(mesh.vertices[3], Vec3(-1, 0, -3));
  EXPECT_EQ(mesh.vertices[9], Vec3(-1, -2, 0));
  EXPECT_EQ(mesh.vertices[26], Vec3(1, 2, 3));
}

TEST(BoxVertices, AreExactlySymmetricAboutTheOrigin) {
  const TetMesh mesh = make_box({{0.7, 0.3, 1.1}, {7, 3, 10}, 6});
  const size_t count = mesh.vertices.size();
  for (size_t v = 0; v < count; ++v) EXPECT_EQ(mesh.vertices[v], -mesh.vertices[count - 1 - v]);
}

TEST(BoxMistakes, AreAllReportedAtOnce) {
  const std::string found = complaints_of([] { make_box({{0, 1, NAN}, {1, -3, 1}, 7}); });
  EXPECT_EQ(found,
            "box: size along x is 0; it must be positive and finite\n"
            "box: -3 cells along y; there must be at least 1\n"
            "box: size along z is nan; it must be positive and finite\n"
            "box: 7 tetrahedra a cell; 5 or 6 are possible");
}

TEST(BoxMistakes, TooManyCellsAreRefusedBeforeAnythingIsAllocated) {
  const int most = std::numeric_limits<int>::max();
  const std::string found = complaints_of([&] { make_box({{1, 1, 1}, {most, most, most}, 5}); });
  EXPECT_NE(found.find("use fewer cells"), std::string::npos) << found;
}

}  // namespace
}  // namespace pliant::box_test
