#include "pliant/picture/creases.hpp"

#include "picture/shapes.hpp"

namespace pliant::creases_test {

TEST(Creases, SplitTheCornersOfACube) {
  const Surface cube = make_cube_surface();
  const Surface split = split_creases(cube);
  EXPECT_EQ(cube.mesh.vertices.size(), 8U);
  EXPECT_EQ(split.mesh.vertices.size(), 24U);
  ASSERT_EQ(split.mesh.triangles.size(), cube.mesh.triangles.size());
  for (size_t t = 0; t < cube.mesh.triangles.size(); ++t) {
    for (size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(split.vertex_of[size_t(split.mesh.triangles[t][k])],
                cube.vertex_of[size_t(cube.mesh.triangles[t][k])]);
    }
  }
}

TEST(Creases, LeaveASphereWhole) {
  Surface sphere{make_sphere(0.5, Vec3::Zero(), 24), {}, {}};
  for (size_t i = 0; i < sphere.mesh.vertices.size(); ++i) sphere.vertex_of.push_back(static_cast<int>(i));
  EXPECT_EQ(split_creases(sphere).mesh.vertices.size(), sphere.mesh.vertices.size());
}

}  // namespace pliant::creases_test
