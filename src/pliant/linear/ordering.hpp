#pragma once

#include <mutex>
#include <vector>

#include "pliant/linear/block_matrix.hpp"

namespace pliant {

/// Neighbours of each vertex in a pattern.
struct Neighbours {
  std::vector<int> start, vertices;
  explicit Neighbours(const BlockPattern& pattern);
};

/// To be held while METIS runs: it draws from the one random generator of the C library, and two at once
/// would change each other's orders, and with them the last digits.
std::mutex& one_metis_at_a_time();

/// The order in which to eliminate vertices so that few new couplings arise: nested dissection by METIS.
/// order[i] is the vertex eliminated i-th.
std::vector<int> dissect(const Neighbours& neighbours);

}  // namespace pliant
