#include "pliant/linear/scalar_matrix.hpp"

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
  y.setZero(x.size());
  for (int row = 0; row < rows(); ++row) {
    const std::span<const int> columns = pattern_->columns_of(row);
    const double* value = values_.data() + pattern_->row_start(row);
    const Index own = 3 * Index{columns[0]};
    const Vec3 at = x.segment<3>(own);
    Vec3 sum = value[0] * at;
    for (size_t k = 1; k < columns.size(); ++k) {
      const Index other = 3 * Index{columns[k]};
      sum += value[k] * x.segment<3>(other);
      y.segment<3>(other) += value[k] * at;
    }
    y.segment<3>(own) += sum;
  }
  return dot(x, y);
}

Vector ScalarMatrix::diagonal() const {
  Vector diagonal(rows());
  for (int vertex = 0; vertex < rows(); ++vertex) diagonal[vertex] = values_[pattern_->diagonal(vertex)];
  return diagonal;
}

}  // namespace pliant
