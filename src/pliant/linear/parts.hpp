#pragma once

#include <vector>

#include "pliant/linear/supernodes.hpp"

namespace pliant {

/// How the tree of supernodes is cut for threads, in the same way for any number of them: branches of many
/// small supernodes, which run one after another, and single large ones above.
struct Parts {
  explicit Parts(const Supernodes& nodes);

  struct Part {
    int first = 0, last = 0;         ///< supernodes, both included; the last is the root
    int columns = 0;                 ///< of its own, which follow each other
    int ancestors = 0;               ///< rows of the root: columns of parts above
    std::vector<int> children = {};  ///< parts
    int parent = -1;
    std::vector<int> in_parent = {};  ///< of each ancestor, its local number there
  };
  std::vector<Part> parts;
  std::vector<std::vector<int>> levels;  ///< parts that wait for those of earlier levels only
  /// Of the rows of all supernodes: the local number in the part, own columns first, then ancestors.
  std::vector<int> local_row;
};

}  // namespace pliant
