#include "pliant/mesh/body_mesh.hpp"

#include <algorithm>

#include "pliant/base/error.hpp"

namespace pliant {

MeshContents contents_of(PaintedMesh painted) {
  TetMesh& mesh = painted.mesh;
  // A sheet is its triangles; files need not say that these have edges.
  if (!mesh.triangles.empty()) mesh.edges.clear();
  return {std::move(mesh.vertices), std::move(mesh.tets), std::move(mesh.triangles),
          std::move(painted.fields), std::move(mesh.edges)};
}

MeshContents skin_of(MeshContents contents) {
  if (contents.tets.empty()) return contents;
  Surface surface = extract_surface(body_of(contents));
  return {std::move(surface.mesh.vertices),
          {},
          std::move(surface.mesh.triangles),
          fields_at(surface.vertex_of, contents.fields)};
}

TetMesh make_sheet(TriangleMesh triangles, double thickness) {
  TetMesh sheet;
  for (const auto& t : triangles.triangles)
    for (int k = 0; k < 3; ++k) {
      const auto [a, b] = std::minmax({t[k], t[(k + 1) % 3]});
      sheet.edges.push_back({a, b});
    }
  std::sort(sheet.edges.begin(), sheet.edges.end());
  sheet.edges.erase(std::unique(sheet.edges.begin(), sheet.edges.end()), sheet.edges.end());
  sheet.vertices = std::move(triangles.vertices);
  sheet.triangles = std::move(triangles.triangles);
  sheet.thickness = thickness;
  return sheet;
}

TetMesh body_of(MeshContents contents) {
  if (!contents.tets.empty()) contents.triangles.clear();
  if (!contents.tets.empty() || !contents.triangles.empty()) contents.edges.clear();
  return {std::move(contents.vertices), std::move(contents.tets), std::move(contents.triangles),
          std::move(contents.edges)};
}

PaintedMesh solid_of(MeshContents contents, const std::string& file) {
  if (contents.tets.empty()) {
    throw InputError(Complaint{
        file, 0, 0,
        contents.edges.empty() ? "there are no tetrahedra in it; mesh the volume (in Gmsh: gmsh -3) and save "
                                 "all elements"
                               : "there are lines in it but no tetrahedra; a strand is shape = { kind = "
                                 "\"strand\", file = ... }"});
  }
  std::vector<PointData> fields = std::move(contents.fields);
  return {body_of(std::move(contents)), std::move(fields)};
}

}  // namespace pliant
