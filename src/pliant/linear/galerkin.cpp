#include "pliant/linear/galerkin.hpp"

#include <algorithm>
#include <numeric>

#include "pliant/base/parallel.hpp"
#include "pliant/linear/four_kernel.hpp"

namespace pliant {

namespace {

constexpr int kRowsOfProduct = 512;
constexpr Index kBlocksGathered = 512;
constexpr int kStride = 12;  // of blocks being added up: three rows of four

/// to += weight * from
void add_block(float weight, const float* from, float* to) {
  for (int k = 0; k < kStride; k += 4) store_four(load_four(to + k) + weight * load_four(from + k), to + k);
}

}  // namespace

GalerkinProduct::GalerkinProduct(const BlockPattern& fine, const Interpolation& weights, int nodes)
    : chunks_((fine.rows() + kRowsOfProduct - 1) / kRowsOfProduct) {
  std::vector<std::vector<Pair>> pairs(chunks_.size());
  parallel_chunks(fine.rows(), kRowsOfProduct, [&](Index first, Index) {
    const Index number = first / kRowsOfProduct;
    pairs[number] = build_chunk(fine, weights, static_cast<int>(first), chunks_[number]);
  });
  std::vector<Pair> edges;
  for (const auto& some : pairs) edges.insert(edges.end(), some.begin(), some.end());
  pattern_ = BlockPattern(nodes, edges);
  build_gathers(pairs);
}

/// Returns the blocks of C that the chunk adds to, of the stored triangle.
std::vector<GalerkinProduct::Pair> GalerkinProduct::build_chunk(const BlockPattern& fine,
                                                                const Interpolation& weights, int first_row,
                                                                Chunk& chunk) {
  const int last_row = std::min(first_row + kRowsOfProduct, fine.rows());
  std::vector<Pair> targets;  // for each row, weight and slot
  std::vector<int> columns;   // of the slots of a row
  for (int row = first_row; row < last_row; ++row) {
    columns.clear();
    for (const int column : fine.columns_of(row))
      for (int k = weights.start[column]; k < weights.start[column + 1]; ++k) {
        const auto found = std::find(columns.begin(), columns.end(), weights.node[k]);
        chunk.slots.push_back(static_cast<int>(found - columns.begin()));
        if (found == columns.end()) columns.push_back(weights.node[k]);
      }
    chunk.slot_count.push_back(static_cast<int>(columns.size()));
    const int vertex = fine.vertex(row);
    for (int k = weights.start[vertex]; k < weights.start[vertex + 1]; ++k)
      for (const int column : columns) targets.emplace_back(weights.node[k], column);
  }
  std::vector<Pair> blocks = targets;
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  chunk.blocks = static_cast<int>(blocks.size());
  const auto place = [&](const Pair& pair) {
    return static_cast<int>(std::lower_bound(blocks.begin(), blocks.end(), pair) - blocks.begin());
  };

  chunk.slots.shrink_to_fit();
  chunk.places.reserve(targets.size());
  const Pair* previous = nullptr;
  auto from = blocks.begin();  // of the target's node: most share it with the one before
  for (const Pair& target : targets) {
    if (!previous || previous->first != target.first)
      from = std::lower_bound(blocks.begin(), blocks.end(), Pair{target.first, 0});
    previous = &target;
    auto found = from;
    while (*found != target) ++found;
    chunk.places.push_back(static_cast<int>(found - blocks.begin()));
  }
  std::vector<Pair> stored;
  for (const auto& [a, b] : blocks) stored.emplace_back(std::min(a, b), std::max(a, b));
  std::sort(stored.begin(), stored.end());
  stored.erase(std::unique(stored.begin(), stored.end()), stored.end());
  chunk.folds.reserve(stored.size());
  const auto place_if_there = [&](const Pair& pair) {
    return std::binary_search(blocks.begin(), blocks.end(), pair) ? place(pair) : -1;
  };
  for (const auto& [a, b] : stored) chunk.folds.push_back({place_if_there({a, b}), place_if_there({b, a})});
  return stored;
}

void GalerkinProduct::build_gathers(const std::vector<std::vector<Pair>>& pairs) {
  Index count = 0;
  for (size_t number = 0; number < chunks_.size(); ++number) {
    chunks_[number].first = count;
    count += std::ssize(pairs[number]);
  }
  partial_.resize(9 * count);
  std::vector<int> block_of;
  gather_start_.assign(pattern_.blocks() + 1, 0);
  for (const auto& some : pairs)
    for (const auto& [a, b] : some) {
      block_of.push_back(static_cast<int>(pattern_.find(a, b).block));
      ++gather_start_[block_of.back() + 1];
    }
  std::partial_sum(gather_start_.begin(), gather_start_.end(), gather_start_.begin());
  gather_.resize(count);
  std::vector<int> next(gather_start_.begin(), gather_start_.end() - 1);
  for (Index k = 0; k < count; ++k) gather_[next[block_of[k]]++] = static_cast<int>(k);
}

template <class Scalar>
void GalerkinProduct::compute_chunk(const BlockPattern& fine, const Interpolation& weights,
                                    const Scalar* blocks, const char* fixed, int first_row) {
  const Chunk& chunk = chunks_[first_row / kRowsOfProduct];
  thread_local std::vector<float> sums, slots;
  sums.assign(kStride * chunk.blocks, 0.0F);
  const int *slot = chunk.slots.data(), *place = chunk.places.data();
  const Scalar* b = blocks + 9 * fine.row_start(first_row);
  for (int row = first_row; const int slot_count : chunk.slot_count) {
    slots.assign(kStride * slot_count, 0.0F);
    const int vertex = fine.vertex(row);
    for (const int column : fine.columns_of(row)) {
      alignas(16) float here[kStride];
      for (int k = 0; k < 3; ++k) store_four(load_single(b + 3 * k), here + 4 * k);
      b += 9;
      if (column == vertex) {
        // The diagonal is folded with itself. In it alone fixed dofs have anything.
        for (float& entry : here) entry *= 0.5F;
        for (int k = 0; k < 3; ++k)
          if (fixed && fixed[3 * Index{vertex} + k]) here[5 * k] = 0;
      }
      for (int k = weights.start[column]; k < weights.start[column + 1]; ++k)
        add_block(weights.weight[k], here, &slots[kStride * *slot++]);
    }
    for (int k = weights.start[vertex]; k < weights.start[vertex + 1]; ++k)
      for (int s = 0; s < slot_count; ++s)
        add_block(weights.weight[k], &slots[kStride * s], &sums[kStride * *place++]);
    ++row;
  }

  float* to = partial_.data() + 9 * chunk.first;
  for (const auto& [upper, lower] : chunk.folds) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        *to++ = (upper < 0 ? 0.0F : sums[kStride * upper + 4 * i + j]) +
                (lower < 0 ? 0.0F : sums[kStride * lower + 4 * j + i]);
  }
}

template <class Scalar>
void GalerkinProduct::compute(const BlockPattern& fine, const Interpolation& weights, const Scalar* blocks,
                              const char* fixed, std::vector<float>& product) {
  parallel_chunks(fine.rows(), kRowsOfProduct, [&](Index first, Index) {
    compute_chunk(fine, weights, blocks, fixed, static_cast<int>(first));
  });
  product.resize(9 * pattern_.blocks() + 1);
  parallel_chunks(pattern_.blocks(), kBlocksGathered, [&](Index begin, Index end) {
    for (Index block = begin; block < end; ++block) {
      float sum[9] = {};
      for (int k = gather_start_[block]; k < gather_start_[block + 1]; ++k)
        for (int e = 0; e < 9; ++e) sum[e] += partial_[9 * Index{gather_[k]} + e];
      std::copy_n(sum, 9, &product[9 * block]);
    }
  });
}

template void GalerkinProduct::compute(const BlockPattern&, const Interpolation&, const double*, const char*,
                                       std::vector<float>&);
template void GalerkinProduct::compute(const BlockPattern&, const Interpolation&, const float*, const char*,
                                       std::vector<float>&);

}  // namespace pliant
