#include "pliant/linear/incomplete_cholesky.hpp"

#include <Eigen/IterativeLinearSolvers>
#include <vector>

#include "pliant/base/vector_ops.hpp"

namespace pliant {

namespace {
using Triplets = std::vector<Eigen::Triplet<double>>;
}

struct IncompleteCholesky::Factor {
  /// In the order of the vertices: one that would save fill in a whole factorisation costs iterations here.
  Eigen::IncompleteCholesky<double, Eigen::Lower, Eigen::NaturalOrdering<int>> of;
  bool scalar = false;  ///< one number a vertex

  bool compute(int rows, const Triplets& entries) {
    Eigen::SparseMatrix<double> lower(rows, rows);
    lower.setFromTriplets(entries.begin(), entries.end());
    of.compute(lower);
    return of.info() == Eigen::Success;
  }
};

IncompleteCholesky::IncompleteCholesky() : factor_(std::make_unique<Factor>()) {}
IncompleteCholesky::~IncompleteCholesky() = default;

bool IncompleteCholesky::factor(const BlockMatrix& matrix) {
  factor_->scalar = false;
  const BlockPattern& pattern = matrix.pattern();
  Triplets entries;
  entries.reserve(9 * pattern.blocks());
  for (int row = 0; row < pattern.rows(); ++row) {
    const auto columns = pattern.columns_of(row);
    for (Index c = 0; c < std::ssize(columns); ++c)
      for (int k = 0; k < 9; ++k) {
        const int i = 3 * columns[0] + k / 3, j = 3 * columns[c] + k % 3;
        const double value = matrix.block(pattern.row_start(row) + c)[k];
        // A zero would take the place of something else: as many entries are kept as a column has.
        if ((c > 0 || j <= i) && value != 0) entries.emplace_back(std::max(i, j), std::min(i, j), value);
      }
  }
  return factor_->compute(3 * pattern.rows(), entries);
}

bool IncompleteCholesky::factor(const ScalarMatrix& matrix) {
  factor_->scalar = true;
  const BlockPattern& pattern = matrix.pattern();
  Triplets entries;
  entries.reserve(pattern.blocks());
  for (int row = 0; row < pattern.rows(); ++row) {
    const auto columns = pattern.columns_of(row);
    for (Index c = 0; c < std::ssize(columns); ++c)
      entries.emplace_back(std::max(columns[0], columns[c]), std::min(columns[0], columns[c]),
                           matrix[pattern.row_start(row) + c]);
  }
  return factor_->compute(pattern.rows(), entries);
}

Preconditioner::Sizes IncompleteCholesky::precondition(const Field& of, Field& to) const {
  const Vector& r = of.host();
  Vector& z = to.host();
  if (factor_->scalar) {
    z.resize(r.size());
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
    const Eigen::Map<const Rows> from(r.data(), r.size() / 3, 3);
    Eigen::Map<Rows> rows(z.data(), r.size() / 3, 3);
    for (int k = 0; k < 3; ++k) rows.col(k) = factor_->of.solve(Vector(from.col(k)));
  } else {
    z = factor_->of.solve(r);
  }
  const double product = dot(r, z);
  return {product, product};
}

}  // namespace pliant
