#include <Eigen/SparseCholesky>

#include "pliant/linear/cholesky.hpp"

namespace pliant {

namespace {

class EigenCholesky final : public Cholesky {
 public:
  bool factor(const BlockMatrix& A) override {
    pattern_ = &A.pattern();
    if (analysed_ != pattern_->id()) {
      analysed_ = pattern_->id();
      fill_pattern();
      fill_values(A);
      solver_.analyzePattern(lower_);
    } else {
      fill_values(A);
    }
    solver_.factorize(lower_);
    return solver_.info() == Eigen::Success && (solver_.vectorD().array() > 0).all();
  }

  void solve(const Vector& b, Vector& x) override { x = solver_.solve(b); }

 private:
  /// The lower triangle by columns, which for a symmetric matrix is the upper triangle by rows.
  void fill_pattern() {
    const int rows = 3 * pattern_->rows();
    lower_.resize(rows, rows);
    std::vector<Eigen::Triplet<double>> entries;
    for (int row = 0; row < pattern_->rows(); ++row)
      for (const int column : pattern_->columns_of(row))
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            if (3 * column + j >= 3 * row + i) entries.emplace_back(3 * column + j, 3 * row + i, 0.0);
    lower_.setFromTriplets(entries.begin(), entries.end());
  }

  void fill_values(const BlockMatrix& A) {
    for (int row = 0; row < pattern_->rows(); ++row) {
      for (int i = 0; i < 3; ++i) {
        double* value = lower_.valuePtr() + lower_.outerIndexPtr()[3 * row + i];
        const auto columns = pattern_->columns_of(row);
        for (Index k = pattern_->diagonal(row) - pattern_->row_start(row); k < std::ssize(columns); ++k) {
          const double* block = A.block(pattern_->row_start(row) + k);
          for (int j = columns[k] == row ? i : 0; j < 3; ++j) *value++ = block[3 * i + j];
        }
      }
    }
  }

  std::uint64_t analysed_ = 0;  ///< id of the pattern that lower_ and solver_ are for
  const BlockPattern* pattern_ = nullptr;
  Eigen::SparseMatrix<double> lower_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> solver_;
};

}  // namespace

std::unique_ptr<Cholesky> make_eigen_cholesky() { return std::make_unique<EigenCholesky>(); }

}  // namespace pliant
