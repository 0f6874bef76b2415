#include "pliant/mesh/body_mesh.hpp"

#include "mesh/mesh_checks.hpp"

namespace pliant::body_mesh_test {
namespace {

TEST(BodyMesh, OfAFileWithTetrahedraLeavesOutItsTriangles) {
  const TetMesh body = body_of(awkward_file());
  EXPECT_FALSE(body.planar());
  EXPECT_TRUE(same_bits(body, awkward_mesh()));
}

TEST(BodyMesh, OfTrianglesIsPlanar) {
  MeshContents file = awkward_file();
  file.tets.clear();
  const TetMesh body = body_of(file);
  EXPECT_TRUE(body.planar());
  EXPECT_EQ(body.triangles, file.triangles);
}

TEST(BodyMesh, OfASolidNeedsTetrahedra) {
  MeshContents file = awkward_file();
  EXPECT_TRUE(same_bits(solid_of(file, "a.msh").mesh, awkward_mesh()));
  file.tets.clear();
  EXPECT_EQ(complaints_of([&] { solid_of(file, "a.msh"); }),
            "a.msh: there are no tetrahedra in it; mesh the volume (in Gmsh: gmsh -3) and save all elements");
}

}  // namespace
}  // namespace pliant::body_mesh_test
