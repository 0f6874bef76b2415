#include <algorithm>
#include <atomic>
#include <numeric>

#include "pliant/base/curve.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linear/block_matrix.hpp"

namespace pliant {

BlockPattern::BlockPattern(int rows, std::span<const std::pair<int, int>> edges, std::vector<Vec3> points)
    : points_(std::move(points)), order_(order_along_curve(points_)), row_of_(rows) {
  static std::atomic<std::uint64_t> built{0};
  id_ = ++built;
  if (order_.empty()) {
    order_.resize(rows);
    std::iota(order_.begin(), order_.end(), 0);
  }
  for (int row = 0; row < rows; ++row) row_of_[order_[row]] = row;
  build_rows(edges);
  build_chunks();
  build_receivers();
}

void BlockPattern::build_rows(std::span<const std::pair<int, int>> edges) {
  // Counted into rows by the earlier vertex, then each row sorted and freed of duplicates.
  std::vector<Index> start(rows() + 1, 0);
  for (const auto& [a, b] : edges)
    if (a != b) ++start[std::min(row_of_[a], row_of_[b]) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int> later(start.back());
  std::vector<Index> next(start.begin(), start.end() - 1);
  for (const auto& [a, b] : edges) {
    const auto [low, high] = std::minmax(row_of_[a], row_of_[b]);
    if (low != high) later[next[low]++] = high;
  }
  std::vector<int> lengths(rows());
  parallel_chunks(rows(), kRowsAtOnce, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const auto first = later.begin() + start[row], last = later.begin() + start[row + 1];
      std::sort(first, last);
      lengths[row] = static_cast<int>(std::unique(first, last) - first);
    }
  });
  row_start_.assign(rows() + 1, 0);
  for (int row = 0; row < rows(); ++row) row_start_[row + 1] = row_start_[row] + 1 + lengths[row];
  columns_.resize(row_start_.back());
  for (int row = 0; row < rows(); ++row) {
    int* column = columns_.data() + row_start_[row];
    *column++ = order_[row];
    for (int k = 0; k < lengths[row]; ++k) *column++ = order_[later[start[row] + k]];
  }
}

void BlockPattern::build_chunks() {
  local_columns_.resize(columns_.size());
  halo_start_.assign(1, 0);
  for (int first = 0; first < rows(); first += kRowsAtOnce) {
    const int last = std::min(first + kRowsAtOnce, rows());
    std::vector<int> outside;  // rows
    for (Index k = row_start_[first]; k < row_start_[last]; ++k)
      if (row_of_[columns_[k]] >= last) outside.push_back(row_of_[columns_[k]]);
    std::sort(outside.begin(), outside.end());
    outside.erase(std::unique(outside.begin(), outside.end()), outside.end());
    for (Index k = row_start_[first]; k < row_start_[last]; ++k) {
      const int row = row_of_[columns_[k]];
      const auto place = std::lower_bound(outside.begin(), outside.end(), row) - outside.begin();
      local_columns_[k] = row < last ? row - first : static_cast<int>(last - first + place);
    }
    for (const int row : outside) halo_.push_back(order_[row]);
    halo_start_.push_back(std::ssize(halo_));
  }
}

void BlockPattern::build_receivers() {
  std::vector<Index> count(rows() + 1, 0);
  for (const int vertex : halo_) ++count[vertex + 1];
  place_start_.assign(1, 0);
  for (int vertex = 0; vertex < rows(); ++vertex) {
    if (count[vertex + 1] == 0) continue;
    receivers_.push_back(vertex);
    place_start_.push_back(place_start_.back() + count[vertex + 1]);
  }
  std::partial_sum(count.begin(), count.end(), count.begin());
  places_.resize(halo_.size());
  for (Index k = 0; k < halo_size(); ++k) places_[count[halo_[k]]++] = k;
}

BlockPattern::Place BlockPattern::find(int a, int b) const {
  const bool transposed = row_of_[a] > row_of_[b];
  const int row = transposed ? row_of_[b] : row_of_[a];
  const int later = transposed ? row_of_[a] : row_of_[b];
  const auto columns = columns_of(row);
  const auto found = std::lower_bound(columns.begin(), columns.end(), later,
                                      [this](int column, int wanted) { return row_of_[column] < wanted; });
  return {row_start_[row] + (found - columns.begin()), transposed};
}

bool BlockPattern::contains(int a, int b) const {
  const Index place = find(a, b).block;
  const int row = std::min(row_of_[a], row_of_[b]), later = std::max(row_of_[a], row_of_[b]);
  return place < row_start_[row + 1] && row_of_[columns_[place]] == later;
}

BlockPattern::Chunk BlockPattern::chunk(int number) const {
  Chunk chunk;
  chunk.first_row = number * kRowsAtOnce;
  chunk.last_row = std::min(chunk.first_row + kRowsAtOnce, rows());
  chunk.halo_start = halo_start_[number];
  chunk.halo = {halo_.data() + halo_start_[number], halo_.data() + halo_start_[number + 1]};
  chunk.local_columns = {local_columns_.data() + row_start_[chunk.first_row],
                         local_columns_.data() + row_start_[chunk.last_row]};
  return chunk;
}

}  // namespace pliant
