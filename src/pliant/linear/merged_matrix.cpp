#include "pliant/linear/merged_matrix.hpp"

#include <algorithm>

namespace pliant {

bool MergedMatrix::fits(const BlockMatrix& A) const {
  const auto extra = A.extra_blocks();
  return built_for_ == A.pattern().id() && std::all_of(extra.begin(), extra.end(), [&](const ExtraBlock& e) {
           return pattern_.contains(e.a, e.b);
         });
}

void MergedMatrix::build(const BlockMatrix& A) {
  built_for_ = A.pattern().id();
  std::vector<std::pair<int, int>> edges;
  for (int row = 0; row < A.rows(); ++row)
    for (const int column : A.pattern().columns_of(row).subspan(1))
      edges.emplace_back(A.pattern().vertex(row), column);
  for (const ExtraBlock& extra : A.extra_blocks()) edges.emplace_back(extra.a, extra.b);
  pattern_ = BlockPattern(A.rows(), edges);
  matrix_ = BlockMatrix(pattern_);
}

const BlockMatrix& MergedMatrix::of(const BlockMatrix& A) {
  if (A.extra_blocks().empty()) return A;
  if (!fits(A)) build(A);
  matrix_.set_zero();
  for (int row = 0; row < A.rows(); ++row) {
    const int vertex = A.pattern().vertex(row);
    Index position = A.pattern().row_start(row);
    for (const int column : A.pattern().columns_of(row)) {
      const Mat3 values = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(A.block(position++));
      if (column == vertex)
        matrix_.add_diagonal_block(vertex, values);
      else
        matrix_.add_block(vertex, column, values);
    }
  }
  for (const ExtraBlock& extra : A.extra_blocks()) matrix_.add_block(extra.a, extra.b, extra.values);
  return matrix_;
}

}  // namespace pliant
