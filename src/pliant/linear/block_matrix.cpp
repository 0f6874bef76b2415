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
  extra_.clear();
  restrictions_.clear();
}

void BlockMatrix::add_block(int a, int b, const Mat3& values) {
  if (pattern_->contains(a, b)) {
    const auto [position, transposed] = pattern_->find(a, b);
    double* stored = block(position);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) stored[3 * i + j] += transposed ? values(j, i) : values(i, j);
    return;
  }
  extra_.push_back({a, b, values});
}

void BlockMatrix::add_diagonal_block(int vertex, const Mat3& values) {
  double* stored = block(pattern_->diagonal(vertex));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) stored[3 * i + j] += values(i, j);
}

double BlockMatrix::multiply(const Vector& x, Vector& y) const {
  double product = block_product(*pattern_, values_.data(), x, y, halo_);
  for (const ExtraBlock& extra : extra_) {
    const Vec3 a = x.segment<3>(3 * Index{extra.a}), b = x.segment<3>(3 * Index{extra.b});
    const Vec3 from_b = extra.values * b;
    y.segment<3>(3 * Index{extra.a}) += from_b;
    y.segment<3>(3 * Index{extra.b}) += extra.values.transpose() * a;
    product += 2 * a.dot(from_b);
  }
  return product;
}

void BlockMatrix::add_scaled(const BlockMatrix& other, double factor) {
  parallel_chunks(std::ssize(values_), 1 << 16, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) values_[i] += factor * other.values_[i];
  });
  for (const ExtraBlock& extra : other.extra_) extra_.push_back({extra.a, extra.b, factor * extra.values});
}

void BlockMatrix::scale(double factor) {
  parallel_chunks(std::ssize(values_), 1 << 16, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) values_[i] *= factor;
  });
  for (ExtraBlock& extra : extra_) extra.values *= factor;
}

void BlockMatrix::diagonal(std::span<double> six_a_block) const {
  parallel_chunks(rows(), kRowsOfUpdate, [&](Index begin, Index end) {
    for (Index vertex = begin; vertex < end; ++vertex) {
      const double* b = block(pattern_->diagonal(static_cast<int>(vertex)));
      const double six[] = {b[0], b[1], b[2], b[4], b[5], b[8]};
      std::copy_n(six, 6, six_a_block.data() + 6 * vertex);
    }
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
  for (ExtraBlock& extra : extra_)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (fixed[3 * Index{extra.a} + i] || fixed[3 * Index{extra.b} + j]) extra.values(i, j) = 0;
}

void BlockMatrix::restrict_vertices(std::vector<Restriction> restrictions, const Vector& diagonal) {
  restrictions_ = std::move(restrictions);
  if (restrictions_.empty()) return;
  restriction_of_.assign(static_cast<size_t>(rows()), -1);
  for (size_t k = 0; k < restrictions_.size(); ++k)
    restriction_of_[restrictions_[k].vertex] = static_cast<int>(k);
  const auto free = [&](int vertex) -> const Mat3* {
    const int k = restriction_of_[vertex];
    return k < 0 ? nullptr : &restrictions_[k].free;
  };
  const auto restricted = [&](const Mat3& values, int a, int b) {
    Mat3 result = values;
    if (const Mat3* T = free(a)) result = *T * result;
    if (const Mat3* T = free(b)) result = result * *T;
    return result;
  };
  parallel_chunks(rows(), kRowsOfUpdate, [&](Index begin, Index end) {
    for (int row = static_cast<int>(begin); row < end; ++row) {
      const int vertex = pattern_->vertex(row);
      double* b = block(pattern_->row_start(row));
      for (const int column : pattern_->columns_of(row)) {
        if (free(vertex) || free(column)) {
          Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> values(b);
          values = restricted(values, vertex, column);
          if (vertex == column) values += diagonal[3 * Index{vertex}] * (Mat3::Identity() - *free(vertex));
        }
        b += 9;
      }
    }
  });
  for (ExtraBlock& extra : extra_) extra.values = restricted(extra.values, extra.a, extra.b);
}

}  // namespace pliant
