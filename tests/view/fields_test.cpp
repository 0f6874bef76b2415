#include "pliant/view/fields.hpp"

#include "meshes.hpp"
#include "pliant/mesh/body_mesh.hpp"

namespace pliant::fields_test {
namespace {

std::vector<float> moved(const TetMesh& rest, const Mat3& F) {
  std::vector<float> frame;
  for (const Vec3& X : rest.vertices)
    for (int i = 0; i < 3; ++i) frame.push_back(static_cast<float>((F * X)[i]));
  return frame;
}

struct Strained {
  std::vector<RunBody> bodies;
  ShownSurface surface;
  ShownStrain strain;

  explicit Strained(TetMesh rest)
      : bodies{{"body", std::move(rest), 0, {}}},
        surface(find_shown_surface(bodies)),
        strain(bodies, surface) {}
};

void expect_all(const std::vector<float>& values, double expected, size_t count) {
  ASSERT_EQ(values.size(), count);
  for (const float value : values) EXPECT_NEAR(value, expected, 1e-5);
}

Mat3 turned(const Vec3& stretches) {
  const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix(),
             Q = Eigen::AngleAxisd(-1.1, Vec3(0, 1, 1).normalized()).toRotationMatrix();
  return R * stretches.asDiagonal() * Q;
}

TEST(ShownStrain, OfASolidIsTheLargestSingularValue) {
  const Strained solid(testing::cube(3));
  expect_all(solid.strain.stretch(moved(solid.bodies[0].rest, turned({1.75, 0.5, 1.2}))), 1.75, 56);
}

TEST(ShownStrain, OfASheetIsInItsPlane) {
  TetMesh rest = make_sheet({{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}}, 0.01);
  const Strained sheet(rest);
  // Across the sheet nothing is stretched, as it has no vertices there.
  const Mat3 F =
      Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix() * Vec3(1.25, 0.5, 9).asDiagonal();
  expect_all(sheet.strain.stretch(moved(rest, F)), 1.25, 4);
  expect_all(sheet.strain.inverted(moved(rest, -F)), 0, 4);
}

TEST(ShownStrain, OfAPlanarBodyIsInItsPlaneAndSeesItFlipped) {
  TetMesh rest;
  rest.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  rest.triangles = {{0, 1, 2}};
  const Strained planar(rest);
  expect_all(planar.strain.stretch(moved(rest, Vec3(0.5, 0.75, 1).asDiagonal())), 0.75, 3);
  expect_all(planar.strain.inverted(moved(rest, Vec3(0.5, 0.75, 1).asDiagonal())), 0, 3);
  expect_all(planar.strain.inverted(moved(rest, Vec3(-0.5, 0.75, 1).asDiagonal())), 1, 3);
}

TEST(ShownStrain, OfAStrandIsAlongIt) {
  TetMesh rest;
  rest.vertices = {{0, 0, 0}, {0.5, 0, 0}, {0.5, 0, 2}};
  rest.edges = {{0, 1}, {1, 2}};
  const Strained strand(rest);
  // The vertex between both has the larger one.
  const std::vector<float> values = strand.strain.stretch(moved(rest, Vec3(3, 1, 1.5).asDiagonal()));
  EXPECT_EQ(values, (std::vector<float>{3, 3, 1.5}));
}

TEST(ShownStrain, MarksTheCornersOfAnInvertedElementAndNoOthers) {
  const TetMesh rest{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {5, 0, 1}},
                     {{0, 1, 2, 3}, {4, 5, 6, 7}}};
  const Strained solid(rest);
  std::vector<float> frame = moved(rest, Mat3::Identity());
  frame[3 * 7 + 2] = -1;
  EXPECT_EQ(solid.strain.inverted(frame), (std::vector<float>{0, 0, 0, 0, 1, 1, 1, 1}));
}

TEST(ShownStrain, PassesOverElementsWithoutVolume) {
  const TetMesh rest{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2, 3}}};
  const Strained solid(rest);
  expect_all(solid.strain.stretch(moved(rest, 2 * Mat3::Identity())), 0, 4);
}

TEST(Distances, AreDividedByTheTime) {
  const std::vector<float> from = {0, 0, 0, 1, 1, 1}, to = {3, 4, 0, 1, 1, 3};
  EXPECT_EQ(distances(from, to), (std::vector<float>{5, 2}));
  EXPECT_EQ(distances(from, to, 0.5), (std::vector<float>{10, 4}));
}

TEST(FieldKinds, AreThoseThatThePageKnows) {
  std::vector<std::string_view> names;
  for (const FieldKind& kind : field_kinds()) names.push_back(kind.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"displacement", "speed", "energy-density", "stretch",
                                                  "inverted"}));
}

}  // namespace
}  // namespace pliant::fields_test
