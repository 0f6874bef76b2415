#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// The faces of a file as they stand there, corner after corner, until all vertices are known.
struct PolygonList {
  std::vector<int> corners;
  std::vector<size_t> ends;  ///< of each polygon in `corners`

  void end_polygon() { ends.push_back(corners.size()); }
};

/// The most corners of a face that is not convex; cutting more would take too long.
inline constexpr size_t kMostCorners = 1000;

/// Cuts the polygons into triangles, with the same sense of rotation, in order. A convex one becomes a fan
/// around its first corner. Another is cut by clipping ears in its plane (that of Newell's normal), which
/// takes no triangle without area where it can; what is left of a polygon that crosses itself, where no ear
/// can be found, becomes a fan. Throws InputError, with the name of the file, for one with more than
/// kMostCorners corners that is not convex.
std::vector<std::array<int, 3>> triangulate(const PolygonList& polygons, std::span<const Vec3> vertices,
                                            const std::string& file);

}  // namespace pliant
