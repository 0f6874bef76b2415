#include "pliant/mesh/rectangle.hpp"

#include <algorithm>
#include <numeric>

#include "mesh/mesh_checks.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh_file/vtu.hpp"

namespace pliant::rectangle_test {
namespace {

TetMesh sheet() { return make_rectangle({Vec3(2, 1, 0.5), {5, 2}}); }

TEST(Rectangle, FillsItsAreaWithTrianglesOfEqualSize) {
  const TetMesh mesh = sheet();
  EXPECT_EQ(mesh.vertices.size(), 18U);
  ASSERT_EQ(mesh.triangles.size(), 20U);
  for (const auto& t : mesh.triangles)
    EXPECT_NEAR(signed_area(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]), 0.1, 1e-15);
  EXPECT_TRUE(find_defects(mesh).empty());
}

TEST(Rectangle, WeighsAsMuchAsTheBlockItStandsFor) {
  const std::vector<double> masses = lumped_masses(sheet(), 1000);
  EXPECT_NEAR(std::accumulate(masses.begin(), masses.end(), 0.0), 1000, 1e-10);
  EXPECT_GT(*std::min_element(masses.begin(), masses.end()), 0);
}

TEST(Rectangle, IsItsOwnSurface) {
  const Surface surface = extract_surface(sheet());
  EXPECT_EQ(surface.mesh.triangles, sheet().triangles);
  EXPECT_EQ(surface.mesh.vertices.size(), 18U);
}

TEST(Rectangle, RoundTripsThroughAVtuFile) {
  const TetMesh mesh = sheet(), read = body_of(parse_vtu(vtu_text(contents_of({mesh})), "a.vtu"));
  EXPECT_TRUE(same_bits(read, mesh));
  EXPECT_EQ(read.triangles, mesh.triangles);
}

TEST(Rectangle, IsNoRestShapeOnceTiltedOrTurnedOver) {
  TetMesh tilted = sheet(), turned_over = sheet();
  for (Vec3& x : tilted.vertices) x.z() = 0.1 * x.x();
  for (Vec3& x : turned_over.vertices) x.x() *= -1;
  ASSERT_EQ(find_defects(tilted).size(), 1U);
  EXPECT_NE(find_defects(tilted)[0].find("plane of constant z"), std::string::npos);
  ASSERT_EQ(find_defects(turned_over).size(), 1U);
  EXPECT_NE(find_defects(turned_over)[0].find("20 inverted elements"), std::string::npos);
}

TEST(Rectangle, RefusesSizesAndCountsThatAreNotPositive) {
  EXPECT_NE(complaints_of([] { make_rectangle({Vec3(1, 0, 1), {1, 1}}); }), "");
  EXPECT_NE(complaints_of([] { make_rectangle({Vec3(1, 1, 1), {1, 0}}); }), "");
}

}  // namespace
}  // namespace pliant::rectangle_test
