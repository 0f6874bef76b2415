#include "pliant/linear/lattice_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/parallel.hpp"
#include "pliant/linear/definite_block.hpp"
#include "pliant/linear/four_kernel.hpp"

namespace pliant {

namespace {

using FourSingle = Four<float>;

constexpr Index kNodesAtOnce = 512;
constexpr Index kHaloNodesAtOnce = 1024;

/// Columns of four times a vector.
FourSingle times_columns(const float* columns, const FourSingle& x) {
  return (load_four(columns) * x[0] + load_four(columns + 4) * x[1]) + load_four(columns + 8) * x[2];
}

/// The transpose of a block times a vector; what lies in the last place means nothing.
FourSingle times_transposed(const float* block, const FourSingle& x) {
  return (load_four(block) * x[0] + load_four(block + 3) * x[1]) + load_four(block + 6) * x[2];
}

/// Room that a thread keeps, zero where asked.
float* scratch(Index size) {
  thread_local std::vector<float> memory;
  memory.assign(size, 0.0F);
  return memory.data();
}

}  // namespace

LatticeMatrix::LatticeMatrix(const BlockPattern& pattern)
    : pattern_(&pattern),
      values_(9 * pattern.blocks() + 1),
      inverses_(12 * Index{pattern.rows()}),
      halo_(4 * pattern.halo_size()) {}

/// add(node, four numbers of a halo), in a fixed order for each node.
template <class Add>
void LatticeMatrix::gather_halos(Add add) const {
  parallel_chunks(pattern_->receivers(), kHaloNodesAtOnce, [&](Index begin, Index end) {
    for (Index number = begin; number < end; ++number) {
      const auto [node, places] = pattern_->receiver(number);
      for (const Index place : places) add(Index{node}, &halo_[4 * place]);
    }
  });
}

void LatticeMatrix::prepare() {
  // Half the norms of blocks between chunks, kept in the last place of the inverses until all are known.
  parallel_chunks(pattern_->chunks(), 1, [&](Index number, Index) {
    const BlockPattern::Chunk chunk = pattern_->chunk(static_cast<int>(number));
    const int own = chunk.last_row - chunk.first_row;
    std::fill_n(&inverses_[12 * Index{chunk.first_row}], 12 * own, 0.0F);
    std::fill_n(halo_.data() + 4 * chunk.halo_start, 4 * chunk.halo.size(), 0.0F);
    const Index first = pattern_->row_start(chunk.first_row);
    for (int row = chunk.first_row; row < chunk.last_row; ++row)
      for (Index k = pattern_->row_start(row); k < pattern_->row_start(row + 1); ++k) {
        const int column = chunk.local_columns[k - first];
        if (column < own) continue;
        float squared = 0;
        for (int e = 0; e < 9; ++e) squared += values_[9 * k + e] * values_[9 * k + e];
        const float half = 0.5F * std::sqrt(squared);
        inverses_[12 * Index{row} + 11] += half;
        halo_[4 * (chunk.halo_start + column - own)] += half;
      }
  });
  gather_halos([&](Index node, const float* halves) { inverses_[12 * node + 11] += halves[0]; });

  parallel_chunks(pattern_->rows(), kNodesAtOnce, [&](Index begin, Index end) {
    for (Index node = begin; node < end; ++node) {
      const float* b = &values_[9 * pattern_->row_start(static_cast<int>(node))];
      float* inverse = &inverses_[12 * node];
      const double shift = inverse[11];
      inverse[11] = 0;
      const double largest = std::max({std::abs(b[0]), std::abs(b[4]), std::abs(b[8])});
      if (!(largest > 0)) continue;  // only fixed dofs around: nothing to correct
      constexpr double kLeast = 1e-3;
      const SymmetricBlock diagonal{{b[0], b[1], b[2], b[4], b[5], b[8]}};
      const DefiniteBlock definite = make_definite(diagonal, kLeast * largest, shift);
      const double* e = definite.inverse.entries;
      const double full[9] = {e[0], e[1], e[2], e[1], e[3], e[4], e[2], e[4], e[5]};
      for (int k = 0; k < 9; ++k) inverse[4 * (k / 3) + k % 3] = static_cast<float>(full[k]);
    }
  });
}

void LatticeMatrix::smooth_forward(const NodeVector& r, NodeVector& z) const {
  parallel_chunks(pattern_->chunks(), 1, [&](Index number, Index) {
    const BlockPattern::Chunk chunk = pattern_->chunk(static_cast<int>(number));
    const int own = chunk.last_row - chunk.first_row;
    const Index first = 4 * Index{chunk.first_row};
    float* left = scratch(4 * Index{own});  // of r, less what nodes done already take away
    std::copy_n(&r[first], 4 * own, left);
    const int* column = chunk.local_columns.data();
    const float* b = &values_[9 * pattern_->row_start(chunk.first_row)];
    for (int i = 0; i < own; ++i) {
      const FourSingle z_i =
          times_columns(&inverses_[3 * first + 12 * Index{i}], load_four(left + 4 * Index{i}));
      store_four(z_i, &z[first + 4 * Index{i}]);
      const int count = static_cast<int>(pattern_->columns_of(chunk.first_row + i).size());
      for (int k = 1; k < count; ++k) {
        if (column[k] >= own) break;  // halos come last in a row
        float* left_j = left + 4 * Index{column[k]};
        store_four(load_four(left_j) - times_transposed(b + 9 * k, z_i), left_j);
      }
      column += count;
      b += 9 * Index{count};
    }
  });
}

void LatticeMatrix::smooth_backward(const NodeVector& q, NodeVector& z) const {
  parallel_chunks(pattern_->chunks(), 1, [&](Index number, Index) {
    const BlockPattern::Chunk chunk = pattern_->chunk(static_cast<int>(number));
    const int own = chunk.last_row - chunk.first_row;
    const Index first = 4 * Index{chunk.first_row};
    float* y = scratch(4 * Index{own});
    const Index start = pattern_->row_start(chunk.first_row);
    for (int i = own - 1; i >= 0; --i) {
      const Index row_start = pattern_->row_start(chunk.first_row + i);
      const int count = static_cast<int>(pattern_->columns_of(chunk.first_row + i).size());
      const int* column = chunk.local_columns.data() + (row_start - start);
      const float* b = &values_[9 * row_start];
      FourSingle row0{}, row1{}, row2{};
      for (int k = 1; k < count && column[k] < own; ++k) {
        const FourSingle y_j = load_four(y + 4 * Index{column[k]});
        row0 += load_four(b + 9 * k) * y_j;
        row1 += load_four(b + 9 * k + 3) * y_j;
        row2 += load_four(b + 9 * k + 6) * y_j;
      }
      const FourSingle sums{sum_of_three(row0), sum_of_three(row1), sum_of_three(row2), 0.0F};
      const FourSingle left = load_four(&q[first + 4 * Index{i}]) - sums;
      store_four(times_columns(&inverses_[3 * first + 12 * Index{i}], left), y + 4 * Index{i});
    }
    for (Index k = 0; k < 4 * own; ++k) z[first + k] += y[k];
  });
}

void LatticeMatrix::divide(int first, int last, const NodeVector& r, NodeVector& z) const {
  for (Index node = first; node < last; ++node)
    store_four(times_columns(&inverses_[12 * node], load_four(&r[4 * node])), &z[4 * node]);
}

/// The blocks of a chunk times z: `own` and `halo` are set.
void LatticeMatrix::multiply_chunk(int number, const float* z, float* own_y, float* halo_y) const {
  const BlockPattern::Chunk chunk = pattern_->chunk(number);
  const int own = chunk.last_row - chunk.first_row;
  const int size = own + static_cast<int>(chunk.halo.size());
  float* x = scratch(8 * Index{size});
  float* y = x + 4 * Index{size};
  std::copy_n(z + 4 * Index{chunk.first_row}, 4 * own, x);
  for (int place = own; place < size; ++place)
    std::copy_n(z + 4 * Index{chunk.halo[place - own]}, 4, x + 4 * Index{place});
  const int* column = chunk.local_columns.data();
  const float* b = &values_[9 * pattern_->row_start(chunk.first_row)];
  for (int i = 0; i < own; ++i) {
    const FourSingle x_i = load_four(x + 4 * Index{i});
    FourSingle row0 = load_four(b) * x_i, row1 = load_four(b + 3) * x_i, row2 = load_four(b + 6) * x_i;
    const int count = static_cast<int>(pattern_->columns_of(chunk.first_row + i).size());
    for (int k = 1; k < count; ++k) {
      const FourSingle x_j = load_four(x + 4 * Index{column[k]});
      row0 += load_four(b + 9 * k) * x_j;
      row1 += load_four(b + 9 * k + 3) * x_j;
      row2 += load_four(b + 9 * k + 6) * x_j;
      float* y_j = y + 4 * Index{column[k]};
      store_four(load_four(y_j) + times_transposed(b + 9 * k, x_i), y_j);
    }
    const FourSingle sums{sum_of_three(row0), sum_of_three(row1), sum_of_three(row2), 0.0F};
    store_four(load_four(y + 4 * Index{i}) + sums, y + 4 * Index{i});
    column += count;
    b += 9 * Index{count};
  }
  std::copy_n(y, 4 * own, own_y);
  std::copy_n(y + 4 * Index{own}, 4 * chunk.halo.size(), halo_y);
}

void LatticeMatrix::residual(const NodeVector& r, const NodeVector& z, NodeVector& q) const {
  parallel_chunks(pattern_->chunks(), 1, [&](Index number, Index) {
    const BlockPattern::Chunk chunk = pattern_->chunk(static_cast<int>(number));
    multiply_chunk(static_cast<int>(number), z.data(), &q[4 * Index{chunk.first_row}],
                   halo_.data() + 4 * chunk.halo_start);
    for (Index k = 4 * Index{chunk.first_row}; k < 4 * Index{chunk.last_row}; ++k)
      q[k] = k % 4 < 3 ? r[k] - q[k] : 0.0F;
  });
  gather_halos([&](Index node, const float* y) {
    for (int k = 0; k < 3; ++k) q[4 * node + k] -= y[k];
  });
}

}  // namespace pliant
