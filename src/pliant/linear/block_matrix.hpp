#pragma once

#include <span>
#include <utility>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// What to do with negative eigenvalues of element Hessians: keep them, set them to zero, or take their
/// absolute values.
enum class Definiteness { none, clamp, abs };

/// Which 3x3 blocks of a symmetric n x n block matrix are stored: row by row, columns increasing, both
/// triangles and the diagonal always present.
class BlockPattern {
 public:
  BlockPattern() = default;
  /// `edges` are the pairs (row, column) that must be present; order, duplicates and transposes do not
  /// matter.
  BlockPattern(int rows, std::vector<std::pair<int, int>> edges);

  /// Different for every pattern ever built, so that what was analysed once can be recognised.
  std::uint64_t id() const { return id_; }
  int rows() const { return static_cast<int>(row_start_.size()) - 1; }
  Index blocks() const { return static_cast<Index>(columns_.size()); }
  std::span<const int> columns_of(int row) const;
  Index row_start(int row) const { return row_start_[row]; }
  Index diagonal(int row) const { return diagonal_[row]; }
  int column(Index block) const { return columns_[block]; }

  /// Position of block (row, column); it must be present.
  Index find(int row, int column) const;

 private:
  std::uint64_t id_ = 0;
  std::vector<Index> row_start_{0};
  std::vector<int> columns_;
  std::vector<Index> diagonal_;
};

/// A sparse symmetric matrix of 3x3 blocks over a fixed pattern; each block is stored row by row. Values are
/// refilled, the pattern is shared and never changes.
class BlockMatrix {
 public:
  BlockMatrix() = default;
  explicit BlockMatrix(const BlockPattern& pattern);

  const BlockPattern& pattern() const { return *pattern_; }
  int rows() const { return pattern_->rows(); }
  void set_zero();
  double* block(Index position) { return values_.data() + 9 * position; }
  const double* block(Index position) const { return values_.data() + 9 * position; }

  /// y = A x, row by row, so the same bits for any number of threads.
  void multiply(const Vector& x, Vector& y) const;

  /// this += factor * other; both must share one pattern.
  void add_scaled(const BlockMatrix& other, double factor);

  /// Adds `diagonal[i]` to entry (i, i).
  void add_diagonal(const Vector& diagonal);

  /// Rows and columns of the dofs where `fixed` is set become those of the identity.
  void fix_dofs(const std::vector<char>& fixed);

 private:
  const BlockPattern* pattern_ = nullptr;
  std::vector<double> values_;
};

}  // namespace pliant
