#pragma once

#include <algorithm>
#include <vector>

namespace pliant {

/// Some vertices of a model, taken out to be moved while all others stand still: those that are free to move
/// and all that share an element with one of them.
struct Piece {
  std::vector<int> vertices;  ///< of the model, ascending
  std::vector<char> free;     ///< whether each of them is

  /// The number of a vertex of the model within the piece; -1 where it is not in it.
  int local(int vertex) const {
    const auto found = std::lower_bound(vertices.begin(), vertices.end(), vertex);
    return found != vertices.end() && *found == vertex ? static_cast<int>(found - vertices.begin()) : -1;
  }
};

}  // namespace pliant
