#include "pliant/linear/block_matrix.hpp"

#include <algorithm>

#include "pliant/base/parallel.hpp"
#include "pliant/linear/block_product_kernel.hpp"

namespace pliant {

namespace {

constexpr Index kRowsOfUpdate = 512;

}  // namespace

BlockMatrix::BlockMatrix(const BlockPattern& pattern)
    : pattern_(&pattern), values_(9 * pattern.blocks() + 1), halo_(3 * pattern.halo_size()) {}

void BlockMatrix::set_zero() {
  parallel_chunks(std::ssize(values_), 1 << 16, [&](Index begin, Index end) {
    std::fill(values_.begin() + begin, values_.begin() + end, 0.0);
  });
}

double BlockMatrix::multiply(const Vector& x, Vector& y) const {
  return block_product(*pattern_, values_.data(), x, y, halo_);
}

void BlockMatrix::add_scaled(const BlockMatrix& other, double factor) {
  parallel_chunks(std::ssize(values_), 1 << 16, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) values_[i] += factor * other.values_[i];
  });
}

void BlockMatrix::scale(double factor) {
  parallel_chunks(std::ssize(values_), 1 << 16, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) values_[i] *= factor;
  });
}

double BlockMatrix::trace() const {
  return parallel_sum(rows(), kRowsOfUpdate, [&](Index begin, Index end) {
    double partial = 0;
    for (int row = static_cast<int>(begin); row < end; ++row)
      for (int i = 0; i < 3; ++i) partial += block(pattern_->row_start(row))[4 * i];
    return partial;
  });
}

void BlockMatrix::add_diagonal(const Vector& diagonal) {
  parallel_chunks(rows(), kRowsOfUpdate, [&](Index begin, Index end) {
    for (int row = static_cast<int>(begin); row < end; ++row)
      for (int i = 0; i < 3; ++i)
        block(pattern_->row_start(row))[4 * i] += diagonal[3 * Index{pattern_->vertex(row)} + i];
  });
}

void BlockMatrix::fix_dofs(const std::vector<char>& fixed) {
  const auto any = [&](int vertex) {
    const char* f = fixed.data() + 3 * Index{vertex};
    return f[0] || f[1] || f[2];
  };
  parallel_chunks(rows(), kRowsOfUpdate, [&](Index begin, Index end) {
    for (int row = static_cast<int>(begin); row < end; ++row) {
      const int vertex = pattern_->vertex(row);
      const bool row_touched = any(vertex);
      double* b = block(pattern_->row_start(row));
      for (const int column : pattern_->columns_of(row)) {
        if (row_touched || any(column)) {
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
              if (fixed[3 * Index{vertex} + i] || fixed[3 * Index{column} + j])
                b[3 * i + j] = (vertex == column && i == j) ? 1.0 : 0.0;
        }
        b += 9;
      }
    }
  });
}

}  // namespace pliant
