#pragma once

#include <vector>

#include "pliant/linear/block_matrix.hpp"

namespace pliant {

/// Neighbours of each vertex in a pattern.
struct Neighbours {
  std::vector<int> start, vertices;
  explicit Neighbours(const BlockPattern& pattern);
};

/// The order in which to eliminate vertices so that few new couplings arise: nested dissection by METIS.
/// order[i] is the vertex eliminated i-th.
std::vector<int> dissect(const Neighbours& neighbours);

}  // namespace pliant
