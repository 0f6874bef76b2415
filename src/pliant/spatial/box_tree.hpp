#pragma once

#include <span>
#include <vector>

#include "pliant/base/large_array.hpp"
#include "pliant/spatial/shape.hpp"

namespace pliant {

/// Boxes around the elements (tetrahedra or triangles) of one body that moves: a complete tree over the
/// elements, eight to a node, in an order that halves them again and again by their rest positions. Its form
/// never changes; `refit` fits the boxes to where the vertices are and keeps a copy of these positions. Boxes
/// are in single precision, rounded outward by more than any roundoff of double precision, so that nothing is
/// missed.
///
/// What TetTree and SurfaceTree are made of; box_tree_kernel.hpp has the ways to walk through it.
class BoxTree {
 public:
  static constexpr int kWidth = 8;

  /// The boxes of eight children; those of children that do not exist are empty.
  struct Node {
    float low[3][kWidth], high[3][kWidth];
  };

  /// `corners` are those of all elements, `corners_each` of each; corner c is vertex `first_vertex` + c of
  /// the flat vector of positions.
  BoxTree(std::span<const int> corners, int corners_each, const Vector& rest, int first_vertex);

  /// In parallel, with the same boxes for any number of threads.
  void refit(const Vector& positions);
  /// Around everything.
  Bounds bounds() const;

  /// Level 0 has the boxes of the elements themselves; the last level has one node. Child `lane` of node i is
  /// node 8 i + lane of the level below, of level 0 the element at that place.
  int levels() const { return static_cast<int>(level_start_.size()) - 1; }
  const Node& node(int level, Index number) const { return nodes_[level_start_[level] + number]; }

  Index size() const { return std::ssize(order_); }
  int element_at(Index place) const { return order_[place]; }
  Index place_of(int element) const { return place_of_[element]; }
  /// The vertex that is a corner of the element at a place.
  int vertex(Index place, int corner) const { return first_vertex_ + corner_start(place, corner) / 3; }
  Vec3 position(Index place, int corner) const {
    return Eigen::Map<const Vec3>(positions_.data() + corner_start(place, corner));
  }
  bool has_vertex(Index place, int vertex) const {
    for (int corner = 0; corner < corners_each_; ++corner)
      if (corner_start(place, corner) == 3 * (vertex - first_vertex_)) return true;
    return false;
  }

 private:
  int corner_start(Index place, int corner) const {
    return corners_[(place / kWidth * corners_each_ + corner) * kWidth + place % kWidth];
  }
  Index nodes_of(int level) const { return level_start_[level + 1] - level_start_[level]; }
  void fit_elements(Index node);
  void fit_children(int level, Index node);

  int corners_each_, first_vertex_;
  std::vector<int> order_, place_of_;
  std::vector<Index> level_start_{0};
  LargeArray<int> corners_;  ///< where in positions_: by node of level 0, then by corner, then by lane
  LargeArray<double> positions_;
  LargeArray<Node> nodes_;
};

}  // namespace pliant
