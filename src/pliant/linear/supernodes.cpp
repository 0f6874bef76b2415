#include "pliant/linear/supernodes.hpp"

#include <algorithm>
#include <numeric>

#include "pliant/linear/ordering.hpp"

namespace pliant {

namespace {

/// The matrix with its columns in the order of elimination.
class Reordered {
 public:
  Reordered(const Neighbours& neighbours, const std::vector<int>& order, const std::vector<int>& place_of)
      : neighbours_(neighbours), order_(order), place_of_(place_of) {}
  int size() const { return static_cast<int>(order_.size()); }

  template <class Visit>
  void for_each_neighbour(int column, Visit visit) const {
    const int vertex = order_[column];
    for (int k = neighbours_.start[vertex]; k < neighbours_.start[vertex + 1]; ++k)
      visit(place_of_[neighbours_.vertices[k]]);
  }

 private:
  const Neighbours& neighbours_;
  const std::vector<int>& order_;
  const std::vector<int>& place_of_;
};

std::vector<int> inverse_of(const std::vector<int>& order) {
  std::vector<int> inverse(order.size());
  for (size_t k = 0; k < order.size(); ++k) inverse[order[k]] = static_cast<int>(k);
  return inverse;
}

/// The first column that each one changes when it is eliminated (Liu's algorithm, with shortcuts).
std::vector<int> elimination_tree(const Reordered& matrix) {
  std::vector<int> parent(matrix.size(), -1), ancestor(matrix.size(), -1);
  for (int column = 0; column < matrix.size(); ++column)
    matrix.for_each_neighbour(column, [&](int at) {
      while (at < column && at != -1) {
        const int next = ancestor[at];
        ancestor[at] = column;
        if (next == -1) parent[at] = column;
        at = next == -1 || next == column ? column : next;
      }
    });
  return parent;
}

/// Children before parents, subtrees in one piece.
std::vector<int> postorder(const std::vector<int>& parent) {
  const int count = static_cast<int>(parent.size());
  std::vector<int> first_child(count, -1), next_sibling(count, -1), order, stack;
  for (int node = count - 1; node >= 0; --node)
    if (parent[node] >= 0) {
      next_sibling[node] = first_child[parent[node]];
      first_child[parent[node]] = node;
    }
  order.reserve(count);
  for (int root = 0; root < count; ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int node = stack.back(), child = first_child[node];
      if (child >= 0) {
        first_child[node] = next_sibling[child];
        stack.push_back(child);
      } else {
        order.push_back(node);
        stack.pop_back();
      }
    }
  }
  return order;
}

/// How many rows each column of the factor has below the diagonal. Row i has the columns on the ways up the
/// tree from its neighbours to i.
std::vector<int> column_counts(const Reordered& matrix, const std::vector<int>& parent) {
  std::vector<int> count(matrix.size(), 0), seen(matrix.size(), -1);
  for (int row = 0; row < matrix.size(); ++row) {
    seen[row] = row;
    matrix.for_each_neighbour(row, [&](int at) {
      for (; at < row && seen[at] != row; at = parent[at]) {
        seen[at] = row;
        ++count[at];
      }
    });
  }
  return count;
}

/// First columns of the supernodes without zeros.
std::vector<int> exact_supernodes(const std::vector<int>& parent, const std::vector<int>& count) {
  std::vector<int> start;
  for (int column = 0; column < std::ssize(parent); ++column)
    if (column == 0 || parent[column - 1] != column || count[column - 1] != count[column] + 1)
      start.push_back(column);
  start.push_back(static_cast<int>(parent.size()));
  return start;
}

/// Whether so many zeros are a fair price for a wider supernode.
bool few_zeros(int width, double zeros, double size) {
  constexpr int kNarrow = 4, kMiddle = 16, kWide = 48;
  if (width <= kNarrow) return true;
  const double share = zeros / size;
  return share < (width <= kMiddle ? 0.5 : width <= kWide ? 0.1 : 0.05);
}

/// Joins supernodes with the parent that follows them where that costs few zeros.
std::vector<int> join(const std::vector<int>& start, const std::vector<int>& parent,
                      const std::vector<int>& count) {
  struct Open {
    int first, last;  ///< columns
    double zeros;
  };
  std::vector<Open> done;
  for (size_t s = 0; s + 1 < start.size(); ++s) {
    Open now{start[s], start[s + 1] - 1, 0};
    while (!done.empty() && parent[done.back().last] >= 0 && parent[done.back().last] <= now.last) {
      const Open& before = done.back();
      const double below = count[now.last], height = now.last - now.first + 1 + below;
      const double width_before = before.last - before.first + 1;
      const double zeros = before.zeros + now.zeros + width_before * (height - count[before.last]);
      const double width = now.last - before.first + 1;
      const double size = width * (width + 1) / 2 + width * below;
      if (!few_zeros(static_cast<int>(width), zeros, size)) break;
      now = {before.first, now.last, zeros};
      done.pop_back();
    }
    done.push_back(now);
  }
  std::vector<int> joined;
  for (const Open& node : done) joined.push_back(node.first);
  joined.push_back(start.back());
  return joined;
}

}  // namespace

Supernodes::Supernodes(const BlockPattern& pattern) {
  const Neighbours neighbours(pattern);
  order = dissect(neighbours);
  place_of = inverse_of(order);
  {
    const std::vector<int> first = postorder(elimination_tree(Reordered(neighbours, order, place_of)));
    std::vector<int> reordered(order.size());
    for (size_t k = 0; k < order.size(); ++k) reordered[k] = order[first[k]];
    order = std::move(reordered);
    place_of = inverse_of(order);
  }
  const Reordered matrix(neighbours, order, place_of);
  const std::vector<int> tree = elimination_tree(matrix), counts = column_counts(matrix, tree);
  start = join(exact_supernodes(tree, counts), tree, counts);

  std::vector<int> node_of(order.size());
  for (int s = 0; s < count(); ++s) std::fill(node_of.begin() + start[s], node_of.begin() + start[s + 1], s);
  parent.assign(count(), -1);
  std::vector<std::vector<int>> children(count());
  std::vector<int> seen(order.size(), -1);
  row_start.assign(1, 0);
  for (int s = 0; s < count(); ++s) {
    const auto add = [&](int column) {
      if (column < start[s + 1] || seen[column] == s) return;
      seen[column] = s;
      row.push_back(column);
    };
    for (int column = start[s]; column < start[s + 1]; ++column) matrix.for_each_neighbour(column, add);
    for (const int child : children[s])
      for (Index k = row_start[child]; k < row_start[child + 1]; ++k) add(row[k]);
    std::sort(row.begin() + row_start.back(), row.end());
    if (std::ssize(row) > row_start.back()) {
      parent[s] = node_of[row[row_start.back()]];
      children[parent[s]].push_back(s);
    }
    row_start.push_back(std::ssize(row));
  }
}

}  // namespace pliant
