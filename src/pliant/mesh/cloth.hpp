#pragma once

#include <array>

#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

/// How a rectangle of cloth is cut into triangles: every cell along the same diagonal, along the other one in
/// every other cell, or irregularly, so that no direction is preferred: a cloth creases along the lines of
/// its mesh.
enum class ClothPattern { kRegular, kAlternating, kDelaunay };

/// A rectangle of cloth that lies flat in the plane y = 0, centred at the origin, its upper side up (+y).
struct ClothRectangle {
  Eigen::Vector2d size{1, 1};        ///< along x and z, m
  std::array<int, 2> cells{20, 20};  ///< along x and z; of an irregular mesh, along the edges
  ClothPattern pattern = ClothPattern::kAlternating;
};

/// How a disc of cloth is cut: in rings around the centre, or irregularly.
enum class DiscPattern { kRings, kDelaunay };

/// A disc of cloth that lies flat in the plane y = 0, centred at the origin, its upper side up (+y). Its edge
/// is a regular polygon with corners on the circle.
struct ClothDisc {
  double radius = 0.5;  ///< m
  double cell = 0.05;   ///< the length that edges of triangles should have, m
  DiscPattern pattern = DiscPattern::kRings;
};

/// Vertices of regular patterns are ordered with x fastest. Irregular meshes are Delaunay's, have evenly
/// spaced vertices on the edge, which come first, and no angle below 20 degrees; they are the same on every
/// machine. Throws InputError where a size is not positive, a count below 1, the mesh too large, or an
/// irregular one has cells that are more than half again as long as wide.
TriangleMesh make_cloth_rectangle(const ClothRectangle& shape);

/// Rings: the centre, then 6, 12, 18 ... vertices a ring. Throws InputError as above, and where a cell is
/// larger than the radius.
TriangleMesh make_cloth_disc(const ClothDisc& shape);

}  // namespace pliant
