#include "pliant/linear/ordering.hpp"

#include <metis.h>

#include <numeric>
#include <stdexcept>

namespace pliant {

Neighbours::Neighbours(const BlockPattern& pattern) : start(pattern.rows() + 1, 0) {
  const auto for_each_pair = [&](auto visit) {
    for (int row = 0; row < pattern.rows(); ++row) {
      const std::span<const int> columns = pattern.columns_of(row);
      for (const int other : columns.subspan(1)) visit(columns[0], other);
    }
  };
  for_each_pair([&](int a, int b) {
    ++start[a + 1];
    ++start[b + 1];
  });
  std::partial_sum(start.begin(), start.end(), start.begin());
  vertices.resize(start.back());
  std::vector<int> next(start.begin(), start.end() - 1);
  for_each_pair([&](int a, int b) {
    vertices[next[a]++] = b;
    vertices[next[b]++] = a;
  });
}

std::mutex& one_metis_at_a_time() {
  static std::mutex one_at_a_time;
  return one_at_a_time;
}

std::vector<int> dissect(const Neighbours& neighbours) {
  idx_t count = static_cast<idx_t>(neighbours.start.size()) - 1;
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  // METIS gives up on graphs without edges.
  if (neighbours.vertices.empty()) return order;
  std::vector<idx_t> start(neighbours.start.begin(), neighbours.start.end());
  std::vector<idx_t> vertices(neighbours.vertices.begin(), neighbours.vertices.end());
  std::vector<idx_t> by_place(count), place_of(count);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  {
    const std::lock_guard lock(one_metis_at_a_time());
    if (METIS_NodeND(&count, start.data(), vertices.data(), nullptr, options, by_place.data(),
                     place_of.data()) != METIS_OK)
      throw std::runtime_error("the elimination order could not be found; is there enough memory?");
  }
  order.assign(by_place.begin(), by_place.end());
  return order;
}

}  // namespace pliant
