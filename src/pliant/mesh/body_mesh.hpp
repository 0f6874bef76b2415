#pragma once

#include <string>

#include "pliant/mesh/mesh_contents.hpp"
#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

/// A body's mesh and the numbers painted on its vertices.
struct PaintedMesh {
  TetMesh mesh;
  std::vector<PointData> fields = {};
  std::vector<Vec3> start = {};  ///< where its vertices are to begin with; as in the mesh where it is empty
};

/// A sheet of triangles, `thickness` thick.
TetMesh make_sheet(TriangleMesh triangles, double thickness);

MeshContents contents_of(PaintedMesh painted);

/// The surface of the tetrahedra, with what is painted on it; where there are none, all as it is.
MeshContents skin_of(MeshContents contents);

/// The body that a file holds: its tetrahedra, a planar body of its triangles where it has none, or a strand.
TetMesh body_of(MeshContents contents);

/// The solid that a file holds: its tetrahedra, and what is painted on it. Triangles are left out. Throws
/// InputError that names the file where there is no tetrahedron.
PaintedMesh solid_of(MeshContents contents, const std::string& file);

}  // namespace pliant
