#pragma once

#include <array>
#include <span>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// The Delaunay triangulation of points in the plane: triangles, counter-clockwise, that fill their convex
/// hull, and no point lies inside the circle through the corners of any of them. Where more than three points
/// share an empty circle, one of the possible triangulations is taken, the same on every machine.
///
/// Points are seen through a grid of 2^26 steps across the larger side of their bounding box, and on that
/// grid everything is decided exactly. Triangles are sorted; each begins with its lowest corner. Throws
/// InputError where two points are one on the grid, all lie on a line, or there are fewer than three.
std::vector<std::array<int, 3>> delaunay_triangles(std::span<const Eigen::Vector2d> points);

}  // namespace pliant
