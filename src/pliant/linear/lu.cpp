#include "pliant/linear/lu.hpp"

#include <Eigen/SparseLU>
#include <vector>

namespace pliant {

struct Lu::Work {
  Eigen::SparseMatrix<double> matrix;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
};

Lu::Lu() : work_(std::make_unique<Work>()) {}
Lu::~Lu() = default;

bool Lu::factor(const BlockMatrix& A) {
  const BlockPattern& pattern = A.pattern();
  std::vector<Eigen::Triplet<double>> entries;
  for (int row = 0; row < pattern.rows(); ++row) {
    Index k = pattern.row_start(row);
    for (const int column : pattern.columns_of(row)) {  // the upper triangle
      const double* block = A.block(k++);
      const int first = 3 * pattern.vertex(row), second = 3 * column;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          entries.emplace_back(first + i, second + j, block[3 * i + j]);
          if (first != second) entries.emplace_back(second + j, first + i, block[3 * i + j]);
        }
    }
  }
  work_->matrix.resize(3 * pattern.rows(), 3 * pattern.rows());
  work_->matrix.setFromTriplets(entries.begin(), entries.end());
  work_->lu.compute(work_->matrix);
  return work_->lu.info() == Eigen::Success;
}

void Lu::solve(const Vector& b, Vector& x) { x = work_->lu.solve(b); }

}  // namespace pliant
