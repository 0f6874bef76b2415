#pragma once

#include <string>

#include "pliant/geometry/mesh_contents.hpp"
#include "pliant/geometry/tet_mesh.hpp"

namespace pliant {

/// The elements of a body, and nothing else.
MeshContents contents_of(const TetMesh& mesh);

/// The body that a file holds: its tetrahedra, or a planar body of its triangles where it has none.
TetMesh body_of(MeshContents contents);

/// The solid that a file holds: its tetrahedra. Triangles and fields are left out. Throws InputError that
/// names the file where there is no tetrahedron.
TetMesh solid_of(MeshContents contents, const std::string& file);

}  // namespace pliant
