#include "pliant/linear/scalar_matrix.hpp"

#include <algorithm>

#include "pliant/base/parallel.hpp"
#include "pliant/base/vector_ops.hpp"

namespace pliant {

void ScalarMatrix::add_scaled(const ScalarMatrix& other, double factor) {
  for (size_t k = 0; k < values_.size(); ++k) values_[k] += factor * other.values_[k];
}

void ScalarMatrix::fix_vertices(std::span<const char> fixed) {
  for (int row = 0; row < rows(); ++row) {
    const std::span<const int> columns = pattern_->columns_of(row);
    for (size_t k = 1; k < columns.size(); ++k)
      if (fixed[columns[0]] || fixed[columns[k]])
        values_[pattern_->row_start(row) + static_cast<Index>(k)] = 0;
  }
}

double ScalarMatrix::multiply(const Vector& x, Vector& y) const {
  y.resize(x.size());
  halo_.resize(3 * pattern_->halo_size());
  parallel_tasks(pattern_->chunks(), [&](Index number) { multiply_chunk(static_cast<int>(number), x, y); });
  constexpr Index kReceiversAtOnce = 512;
  parallel_chunks(pattern_->receivers(), kReceiversAtOnce, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const BlockPattern::Receiver receiver = pattern_->receiver(r);
      for (const Index place : receiver.places)
        for (int k = 0; k < 3; ++k) y[3 * Index{receiver.vertex} + k] += halo_[3 * place + k];
    }
  });
  return dot(x, y);
}

/// The rows of a chunk, with what they add to vertices of others left in the halo.
void ScalarMatrix::multiply_chunk(int number, const Vector& x, Vector& y) const {
  const BlockPattern::Chunk chunk = pattern_->chunk(number);
  const int own = chunk.last_row - chunk.first_row;
  const Index touched = own + std::ssize(chunk.halo);
  std::vector<double> from(3 * touched), to(3 * touched, 0.0);
  const auto vertex_of = [&](Index local) {
    return Index{local < own ? pattern_->vertex(chunk.first_row + static_cast<int>(local))
                             : chunk.halo[local - own]};
  };
  for (Index local = 0; local < touched; ++local)
    for (int k = 0; k < 3; ++k) from[3 * local + k] = x[3 * vertex_of(local) + k];
  const int* column = chunk.local_columns.data();
  const double* value = values_.data() + pattern_->row_start(chunk.first_row);
  for (int row = 0; row < own; ++row) {
    const Index count =
        pattern_->row_start(chunk.first_row + row + 1) - pattern_->row_start(chunk.first_row + row);
    const double at[3] = {from[3 * row], from[3 * row + 1], from[3 * row + 2]};
    double sum[3] = {value[0] * at[0], value[0] * at[1], value[0] * at[2]};
    for (Index c = 1; c < count; ++c) {
      const Index other = 3 * Index{column[c]};
      for (int k = 0; k < 3; ++k) {
        sum[k] += value[c] * from[other + k];
        to[other + k] += value[c] * at[k];
      }
    }
    for (int k = 0; k < 3; ++k) to[3 * row + k] += sum[k];
    column += count;
    value += count;
  }
  for (Index local = 0; local < own; ++local)
    for (int k = 0; k < 3; ++k) y[3 * vertex_of(local) + k] = to[3 * local + k];
  std::copy(to.begin() + 3 * own, to.end(), halo_.begin() + 3 * chunk.halo_start);
}

Vector ScalarMatrix::diagonal() const {
  Vector diagonal(rows());
  for (int vertex = 0; vertex < rows(); ++vertex) diagonal[vertex] = values_[pattern_->diagonal(vertex)];
  return diagonal;
}

void ScalarMatrix::diagonal(std::span<double> six_a_block) const {
  for (int vertex = 0; vertex < rows(); ++vertex) {
    const double d = values_[pattern_->diagonal(vertex)];
    const double six[] = {d, 0, 0, d, 0, d};
    std::copy_n(six, 6, six_a_block.data() + 6 * Index{vertex});
  }
}

}  // namespace pliant
