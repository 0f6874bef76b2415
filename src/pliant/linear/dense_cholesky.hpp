#pragma once

#include <span>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// A small dense symmetric matrix and its factor. Sums are in a fixed order, so that its bits depend on no
/// SIMD width, as those of a general library do.
class DenseCholesky {
 public:
  explicit DenseCholesky(int size) : size_(size), entries_(Index{size} * size) {}

  /// Only the lower triangle, row >= column, counts.
  double& entry(int row, int column) { return entries_[Index{row} * size_ + column]; }
  void set_zero() { entries_.assign(entries_.size(), 0.0); }
  /// A = L L^T in place; false where A is not positive definite.
  bool factor();
  /// Turns the right-hand side into the answer.
  void solve(std::span<double> b) const;

 private:
  int size_;
  std::vector<double> entries_;  ///< by rows; once factored L, and above the diagonal its transpose
};

}  // namespace pliant
