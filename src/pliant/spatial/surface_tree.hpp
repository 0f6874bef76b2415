#pragma once

#include <array>
#include <limits>

#include "pliant/spatial/box_tree.hpp"
#include "pliant/spatial/triangle_tree.hpp"

namespace pliant {

/// Finds the nearest triangle of the surface of a moving body. Built once and then refitted; questions may be
/// asked from many threads at once.
class SurfaceTree {
 public:
  /// Corner c of a triangle is vertex `first_vertex` + c of the flat vector of positions. Numbers of vertices
  /// below count from the beginning of that vector.
  SurfaceTree(std::span<const std::array<int, 3>> triangles, const Vector& rest, int first_vertex);

  /// Answers from now on are for these positions; a copy is kept.
  void refit(const Vector& positions) { tree_.refit(positions); }
  Bounds bounds() const { return tree_.bounds(); }
  std::array<int, 3> vertices_of(int triangle) const;

  /// The closest point of one triangle. Its squared distance is a bound for `closest`.
  ClosestPoint closest_of(int triangle, const Vec3& point) const;
  /// The closest point of all triangles that do not have this vertex as a corner (-1 excludes none), of two
  /// that are equally close that of the triangle with the lower number. Only what is within `bound`, a
  /// squared distance, is looked at: a bound that is no smaller than the answer makes it faster and changes
  /// nothing. The triangle is -1 where nothing is that close. With a direction `against`, only triangles that
  /// face it are looked at.
  ClosestPoint closest(const Vec3& point, int excluded_vertex,
                       double bound = std::numeric_limits<double>::infinity(),
                       const Vec3& against = Vec3::Zero()) const;

 private:
  ClosestPoint closest_at(Index place, const Vec3& point) const;
  bool faces_at(Index place, const Vec3& against) const;

  BoxTree tree_;
};

}  // namespace pliant
