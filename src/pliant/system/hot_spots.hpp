#pragma once

#include <span>
#include <vector>

#include "pliant/system/model.hpp"

namespace pliant {

/// Finds the places of a model where most of a gradient sits, and moves them alone. In a long descent a body
/// snaps in a few places at a time: there the directions for the whole are short, and the whole would wait.
class HotSpots {
 public:
  explicit HotSpots(const Model& model) : model_(model) {}

  /// Pieces with all vertices that hold far more of the gradient than others, and some around them; no two
  /// pieces share an element with free vertices of both. None where these are not few.
  std::vector<Piece> find(const Vector& gradient);

  /// Moves the free vertices of a piece, but for dofs that are `fixed`, to where the stage's objective is
  /// lower, until their mean velocity error is `tolerance`; the others stand still. Returns how many linear
  /// systems that took.
  int relax(const Stage& stage, const Piece& piece, const std::vector<char>& fixed, double tolerance,
            Vector& x) const;

 private:
  void list_neighbours();
  std::span<const int> neighbours(int vertex) const {
    return {neighbours_.data() + start_[vertex], neighbours_.data() + start_[vertex + 1]};
  }
  std::vector<Piece> split(const std::vector<int>& region, std::vector<int>& piece_of) const;

  const Model& model_;
  std::vector<int> start_, neighbours_;  ///< of each vertex, those that share an element with it
};

}  // namespace pliant
