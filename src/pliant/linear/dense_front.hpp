#pragma once

#include <string>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// The dense part of eliminating a supernode: its columns [A; B], with A on the diagonal, become [L; B L^-T],
/// and C, the square of the rows below, loses (B L^-T)(B L^-T)^T. Column by column; of A and C only the lower
/// triangles count.
class DenseFront {
 public:
  /// All zeros.
  DenseFront(int width, int below);

  int width() const { return width_; }
  int below() const { return below_; }
  /// row >= column, numbered from the diagonal block on; columns from `width` on are C's.
  double& entry(int row, int column) {
    return column < width_ ? columns_[Index{column} * (width_ + below_) + row]
                           : update_[Index{column - width_} * below_ + (row - width_)];
  }
  const double& entry(int row, int column) const { return const_cast<DenseFront*>(this)->entry(row, column); }

  /// False where A is not positive definite.
  bool eliminate();
  /// The inverse of the diagonal block [first, last) of L, column by column.
  std::vector<double> inverse(int first, int last) const;
  /// Keeps C alone.
  std::vector<double> take_update() { return std::move(update_); }

 private:
  int width_, below_;
  std::vector<double> columns_, update_;
};

/// Keeps the library of dense kernels to one thread: its sums would otherwise depend on their number.
void use_one_blas_thread();
/// That library as the loader resolved it, and how many threads it uses.
std::string blas_in_use();

}  // namespace pliant
