#include "pliant/linear/parts.hpp"

#include <algorithm>

namespace pliant {

namespace {

constexpr Index kShare = 32;     ///< a branch is at most this part of the whole
constexpr Index kLeast = 16384;  ///< numbers that a branch may have in any case

/// The last supernode of the branch that each one is in; of large ones, itself.
std::vector<int> roots(const Supernodes& nodes) {
  std::vector<Index> work(nodes.count());
  Index total = 0;
  for (int s = 0; s < nodes.count(); ++s) {
    work[s] += nodes.size(s);
    total += nodes.size(s);
    if (nodes.parent[s] >= 0) work[nodes.parent[s]] += work[s];
  }
  const Index limit = std::max(total / kShare, kLeast);
  std::vector<int> root(nodes.count());
  for (int s = nodes.count() - 1; s >= 0; --s) {
    const int parent = nodes.parent[s];
    root[s] = parent >= 0 && work[parent] <= limit ? root[parent] : s;
  }
  return root;
}

}  // namespace

Parts::Parts(const Supernodes& nodes) : local_row(nodes.row.size()) {
  const std::vector<int> root = roots(nodes);
  std::vector<int> part_of(nodes.count());
  for (int s = 0; s < nodes.count(); ++s) {
    if (s == 0 || root[s] != root[s - 1]) parts.push_back({.first = s});
    part_of[s] = static_cast<int>(parts.size()) - 1;
    Part& part = parts.back();
    part.last = s;
    part.columns = nodes.start[s + 1] - nodes.start[part.first];
    part.ancestors = static_cast<int>(nodes.rows(s).size());
  }
  std::vector<int> local(nodes.order.size());
  for (const Part& part : parts) {
    const std::span<const int> above = nodes.rows(part.last);
    for (int k = 0; k < part.columns; ++k) local[nodes.start[part.first] + k] = k;
    for (int k = 0; k < part.ancestors; ++k) local[above[k]] = part.columns + k;
    for (Index k = nodes.row_start[part.first]; k < nodes.row_start[part.last + 1]; ++k)
      local_row[k] = local[nodes.row[k]];
  }
  std::vector<int> level(parts.size(), 0);
  for (size_t p = 0; p < parts.size(); ++p) {
    if (std::ssize(levels) <= level[p]) levels.resize(level[p] + 1);
    levels[level[p]].push_back(static_cast<int>(p));
    const int above = nodes.parent[parts[p].last];
    if (above < 0) continue;
    const int parent = parts[p].parent = part_of[above];
    parts[parent].children.push_back(static_cast<int>(p));
    level[parent] = std::max(level[parent], level[p] + 1);
  }
  for (const Part& part : parts) {
    const std::span<const int> above = nodes.rows(part.last);
    for (int k = 0; k < part.columns; ++k) local[nodes.start[part.first] + k] = k;
    for (int k = 0; k < part.ancestors; ++k) local[above[k]] = part.columns + k;
    for (const int child : part.children)
      for (const int column : nodes.rows(parts[child].last)) parts[child].in_parent.push_back(local[column]);
  }
}

}  // namespace pliant
