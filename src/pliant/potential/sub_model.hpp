#pragma once

#include <algorithm>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// Some vertices of a model, taken out to be moved while all others stand still: those that are free to move
/// and all that share an element with one of them.
struct SubModel {
  std::vector<int> vertices;  ///< of the model, ascending
  std::vector<char> free;     ///< whether each of them is

  /// The number of a vertex of the model within the sub-model; -1 where it is not in it.
  int local(int vertex) const {
    const auto found = std::lower_bound(vertices.begin(), vertices.end(), vertex);
    return found != vertices.end() && *found == vertex ? static_cast<int>(found - vertices.begin()) : -1;
  }

  /// What the sub-model's vertices have of a vector of the model.
  Vector taken(const Vector& whole) const {
    Vector part(3 * std::ssize(vertices));
    for (Index i = 0; i < std::ssize(vertices); ++i)
      part.segment<3>(3 * i) = whole.segment<3>(3 * Index{vertices[i]});
    return part;
  }
  /// Writes what the free vertices have of a vector of the sub-model into one of the model.
  void put(const Vector& part, Vector& whole) const {
    for (Index i = 0; i < std::ssize(vertices); ++i)
      if (free[i]) whole.segment<3>(3 * Index{vertices[i]}) = part.segment<3>(3 * i);
  }
};

}  // namespace pliant
