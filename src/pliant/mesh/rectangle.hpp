#pragma once

#include <array>

#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

/// A planar body: a rectangle in the plane z = 0, centred at the origin, of regular cells. Each cell is cut
/// into two triangles, along the other diagonal in every other cell, so that no direction is preferred.
struct RectangleShape {
  Vec3 size{1, 1, 1};  ///< width, height, thickness
  std::array<int, 2> cells{8, 8};
};

/// Vertices are ordered with x fastest. Throws InputError where a size is not positive, a count below 1 or
/// the mesh too large.
TetMesh make_rectangle(const RectangleShape& shape);

}  // namespace pliant
