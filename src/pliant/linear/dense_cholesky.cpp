#include "pliant/linear/dense_cholesky.hpp"

#include <cmath>

namespace pliant {

bool DenseCholesky::factor() {
  for (int k = 0; k < size_; ++k) {
    const double pivot = entry(k, k);
    if (!(pivot > 0 && pivot < INFINITY)) return false;
    const double root = std::sqrt(pivot);
    entry(k, k) = root;
    double* above = &entry(k, 0);
    for (int i = k + 1; i < size_; ++i) above[i] = entry(i, k) = entry(i, k) / root;
    for (int i = k + 1; i < size_; ++i) {
      double* row = &entry(i, 0);
      const double factor = row[k];
      for (int j = k + 1; j <= i; ++j) row[j] -= factor * above[j];
    }
  }
  return true;
}

void DenseCholesky::solve(std::span<double> b) const {
  for (int k = 0; k < size_; ++k) {
    const double* row = &entries_[Index{k} * size_];
    const double value = b[k] = b[k] / row[k];
    for (int i = k + 1; i < size_; ++i) b[i] -= row[i] * value;
  }
  for (int k = size_ - 1; k >= 0; --k) {
    const double* row = &entries_[Index{k} * size_];
    const double value = b[k] = b[k] / row[k];
    for (int i = 0; i < k; ++i) b[i] -= row[i] * value;
  }
}

}  // namespace pliant
