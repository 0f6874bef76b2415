#pragma once

#include <span>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// The points that a contact sees, each a fixed combination of blocks of unknowns. A vertex is a block of its
/// own; a point of a rigid body has weights on the corners of the body's frame, a particle on the nodes of a
/// grid.
class SeenPoints {
 public:
  struct Share {
    int block = 0;
    double weight = 0;
  };
  /// Of as many blocks as there are unknowns.
  explicit SeenPoints(int blocks) : blocks_(blocks) {}

  /// Its blocks must differ.
  void add(std::span<const Share> point);

  int count() const { return static_cast<int>(start_.size()) - 1; }
  std::span<const Share> of(int point) const {
    return {shares_.data() + start_[static_cast<size_t>(point)],
            shares_.data() + start_[static_cast<size_t>(point) + 1]};
  }

  /// y = W x: what all points have of a vector of blocks.
  Vector taken(const Vector& of_blocks) const;
  /// x += W^T y: a gradient of points as one of blocks.
  void add_back(const Vector& of_points, Vector& of_blocks) const;

 private:
  int blocks_;
  std::vector<size_t> start_{0};
  std::vector<Share> shares_;
};

}  // namespace pliant
