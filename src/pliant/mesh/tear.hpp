#pragma once

#include <vector>

#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

/// How many cells can leave a mesh: the triangles of a sheet or a planar body, the edges of a strand, the
/// tetrahedra of a solid. Hexahedra cannot.
size_t cell_count(const TetMesh& mesh);

/// The largest principal stretch of each cell, where the vertices of the mesh are at `positions`: three
/// numbers each.
std::vector<double> largest_stretches(const TetMesh& rest, const double* positions);

/// What is left of a mesh.
struct TornMesh {
  TetMesh mesh;
  std::vector<int> origin;  ///< of each vertex, its number in the mesh before
};

/// Takes the cells out that are `gone`. Vertices without a cell leave too; where the cells around a vertex
/// that has lost one do not hang together by sides that have it, each group of them gets a vertex of its own,
/// so that the surface opens. Vertices that stay keep their order, and new ones come last.
TornMesh without_cells(const TetMesh& mesh, const std::vector<char>& gone);

}  // namespace pliant
