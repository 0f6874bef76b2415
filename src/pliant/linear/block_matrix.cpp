#include "pliant/linear/block_matrix.hpp"

#include <algorithm>
#include <atomic>

#include "pliant/base/parallel.hpp"

namespace pliant {

namespace {
constexpr Index kRowsAtOnce = 512;
}

BlockPattern::BlockPattern(int rows, std::vector<std::pair<int, int>> edges) {
  static std::atomic<std::uint64_t> built{0};
  id_ = ++built;
  const size_t given = edges.size();
  edges.reserve(2 * given + rows);
  for (size_t i = 0; i < given; ++i) edges.emplace_back(edges[i].second, edges[i].first);
  for (int i = 0; i < rows; ++i) edges.emplace_back(i, i);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());

  row_start_.assign(rows + 1, 0);
  diagonal_.resize(rows);
  columns_.reserve(edges.size());
  for (const auto& [row, column] : edges) {
    if (row == column) diagonal_[row] = std::ssize(columns_);
    columns_.push_back(column);
    row_start_[row + 1] = std::ssize(columns_);
  }
}

std::span<const int> BlockPattern::columns_of(int row) const {
  return {columns_.data() + row_start_[row], columns_.data() + row_start_[row + 1]};
}

Index BlockPattern::find(int row, int column) const {
  const auto columns = columns_of(row);
  return row_start_[row] + (std::lower_bound(columns.begin(), columns.end(), column) - columns.begin());
}

BlockMatrix::BlockMatrix(const BlockPattern& pattern) : pattern_(&pattern), values_(9 * pattern.blocks()) {}

void BlockMatrix::set_zero() {
  parallel_chunks(std::ssize(values_), 1 << 16, [&](Index begin, Index end) {
    std::fill(values_.begin() + begin, values_.begin() + end, 0.0);
  });
}

void BlockMatrix::multiply(const Vector& x, Vector& y) const {
  y.resize(x.size());
  parallel_chunks(rows(), kRowsAtOnce, [&](Index begin, Index end) {
    const double* b = block(pattern_->row_start(static_cast<int>(begin)));
    for (int row = static_cast<int>(begin); row < end; ++row) {
      double y0 = 0, y1 = 0, y2 = 0;
      for (const int column : pattern_->columns_of(row)) {
        const double* p = x.data() + 3 * Index{column};
        y0 += b[0] * p[0] + b[1] * p[1] + b[2] * p[2];
        y1 += b[3] * p[0] + b[4] * p[1] + b[5] * p[2];
        y2 += b[6] * p[0] + b[7] * p[1] + b[8] * p[2];
        b += 9;
      }
      y[3 * Index{row}] = y0;
      y[3 * Index{row} + 1] = y1;
      y[3 * Index{row} + 2] = y2;
    }
  });
}

void BlockMatrix::add_scaled(const BlockMatrix& other, double factor) {
  parallel_chunks(std::ssize(values_), 1 << 16, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) values_[i] += factor * other.values_[i];
  });
}

void BlockMatrix::add_diagonal(const Vector& diagonal) {
  for (int row = 0; row < rows(); ++row)
    for (int i = 0; i < 3; ++i) block(pattern_->diagonal(row))[4 * i] += diagonal[3 * Index{row} + i];
}

void BlockMatrix::fix_dofs(const std::vector<char>& fixed) {
  const auto any = [&](int vertex) {
    const char* f = fixed.data() + 3 * Index{vertex};
    return f[0] || f[1] || f[2];
  };
  parallel_chunks(rows(), kRowsAtOnce, [&](Index begin, Index end) {
    for (int row = static_cast<int>(begin); row < end; ++row) {
      const bool row_touched = any(row);
      double* b = block(pattern_->row_start(row));
      for (const int column : pattern_->columns_of(row)) {
        if (row_touched || any(column)) {
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
              if (fixed[3 * Index{row} + i] || fixed[3 * Index{column} + j])
                b[3 * i + j] = (row == column && i == j) ? 1.0 : 0.0;
        }
        b += 9;
      }
    }
  });
}

}  // namespace pliant
