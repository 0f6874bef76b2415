#pragma once

#include <array>

#include "pliant/base/parallel.hpp"
#include "pliant/spatial/box_tree.hpp"

namespace pliant {

/// Whether a point is in a tetrahedron or on its border, whatever the orientation. Of two that share a face
/// at least one contains what lies between them, in spite of roundoff. One that is flat but for roundoff
/// contains nothing.
bool tet_contains(const std::array<Vec3, 4>& corners, const Vec3& point);

/// Finds the tetrahedra of a moving body that a point is in. Built once and then refitted; questions may be
/// asked from many threads at once.
class TetTree {
 public:
  /// Corner c of a tetrahedron is vertex `first_vertex` + c of the flat vector of positions. Numbers of
  /// vertices below count from the beginning of that vector.
  TetTree(std::span<const std::array<int, 4>> tets, const Vector& rest, int first_vertex);

  /// Answers from now on are for these positions; a copy is kept.
  void refit(const Vector& positions) { tree_.refit(positions); }
  Bounds bounds() const { return tree_.bounds(); }

  /// Calls visit(tet) for every tetrahedron that contains the point until it returns false, always in the
  /// same order.
  void for_each_containing(const Vec3& point, FunctionRef<bool(int)> visit) const;
  /// The first of them that does not have this vertex as a corner, -1 where there is none. Vertex -1 excludes
  /// nothing.
  int first_containing(const Vec3& point, int excluded_vertex) const;
  /// False where all tetrahedra that do not have this vertex as a corner are farther from the point than
  /// `margin`.
  bool may_come_within(double margin, const Vec3& point, int excluded_vertex) const;

 private:
  BoxTree tree_;
};

}  // namespace pliant
