#pragma once

#include <span>
#include <vector>

#include "pliant/linear/block_matrix.hpp"

namespace pliant {

/// Where the nonzeros of a Cholesky factor lie. Columns that follow each other and have the same rows below
/// them are one supernode, a dense trapezoid; some that have nearly the same are too, with a few zeros.
struct Supernodes {
  explicit Supernodes(const BlockPattern& pattern);

  std::vector<int> order;     ///< vertex of each column
  std::vector<int> place_of;  ///< column of each vertex
  std::vector<int> start;     ///< first column of each supernode, and the end
  std::vector<int> parent;    ///< the supernode that holds the first row below, -1 where there is none
  std::vector<Index> row_start;
  std::vector<int> row;  ///< columns below the supernode's own that have a row in it, ascending

  int count() const { return static_cast<int>(start.size()) - 1; }
  int width(int s) const { return start[s + 1] - start[s]; }
  std::span<const int> rows(int s) const {
    return {row.data() + row_start[s], row.data() + row_start[s + 1]};
  }
  /// Numbers in the trapezoid.
  Index size(int s) const {
    const Index w = width(s);
    return w * (w + 1) / 2 + w * std::ssize(rows(s));
  }
};

}  // namespace pliant
