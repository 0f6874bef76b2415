#pragma once

#include <array>

#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

/// A block of regular cells centred at the origin; with one long side it is a bar. Each cell is cut into 5
/// tetrahedra (mirrored in every other cell, no preferred direction) or 6 (all cells alike, all elements of
/// the same shape).
struct BoxShape {
  Vec3 size{1, 1, 1};
  std::array<int, 3> cells{8, 8, 8};
  int tets_per_cell = 5;
  bool hexahedra = false;  ///< each cell is a hexahedron
};

/// Vertices are ordered with x fastest, then y, then z; the mesh is mirror symmetric to the last bit of its
/// coordinates. Throws InputError, with every mistake, where a size is not positive, a count below 1 or the
/// mesh too large.
TetMesh make_box(const BoxShape& shape);

/// The hexahedra that the tetrahedra of such a mesh were cut from, in their order, which files do not say.
/// Empty where they were cut from none.
std::vector<std::array<int, 8>> find_hexes(const TetMesh& mesh);

}  // namespace pliant
