#include "pliant/geometry/body_mesh.hpp"

#include "pliant/base/error.hpp"

namespace pliant {

MeshContents contents_of(PaintedMesh painted) {
  TetMesh& mesh = painted.mesh;
  return {std::move(mesh.vertices), std::move(mesh.tets), std::move(mesh.triangles),
          std::move(painted.fields)};
}

TetMesh body_of(MeshContents contents) {
  if (!contents.tets.empty()) contents.triangles.clear();
  return {std::move(contents.vertices), std::move(contents.tets), std::move(contents.triangles)};
}

PaintedMesh solid_of(MeshContents contents, const std::string& file) {
  if (contents.tets.empty()) {
    throw InputError(Complaint{file, 0, 0,
                               "there are no tetrahedra in it; mesh the volume (in Gmsh: gmsh -3) and save "
                               "all elements"});
  }
  std::vector<PointData> fields = std::move(contents.fields);
  return {body_of(std::move(contents)), std::move(fields)};
}

}  // namespace pliant
