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

  void solve(const Vector& b, Vector& x) override {
    Vector in_rows(b.size());
    for (int row = 0; row < pattern_->rows(); ++row)
      in_rows.segment<3>(3 * Index{row}) = b.segment<3>(3 * Index{pattern_->vertex(row)});
    in_rows = solver_.solve(in_rows);
    x.resize(b.size());
    for (int row = 0; row < pattern_->rows(); ++row)
      x.segment<3>(3 * Index{pattern_->vertex(row)}) = in_rows.segment<3>(3 * Index{row});
  }

  Eigen::MatrixXd solve_all(const Eigen::MatrixXd& B) override {
    Eigen::MatrixXd X(B.rows(), B.cols());
    Vector x;
    for (Index column = 0; column < B.cols(); ++column) {
      solve(B.col(column), x);
      X.col(column) = x;
    }
    return X;
  }

 private:
  /// The lower triangle by columns, which for a symmetric matrix is the upper triangle by rows.
  void fill_pattern() {
    const int rows = 3 * pattern_->rows();
    lower_.resize(rows, rows);
    std::vector<Eigen::Triplet<double>> entries;
    for (int row = 0; row < pattern_->rows(); ++row)
      for (const int vertex : pattern_->columns_of(row)) {
        const int column = pattern_->row_of(vertex);
        for (int i = 0; i < 3; ++i)
          for (int j = column == row ? i : 0; j < 3; ++j)
            entries.emplace_back(3 * column + j, 3 * row + i, 0.0);
      }
    lower_.setFromTriplets(entries.begin(), entries.end());
  }

  void fill_values(const BlockMatrix& A) {
    for (int row = 0; row < pattern_->rows(); ++row) {
      for (int i = 0; i < 3; ++i) {
        double* value = lower_.valuePtr() + lower_.outerIndexPtr()[3 * row + i];
        const Index start = pattern_->row_start(row);
        for (Index k = start; k < pattern_->row_start(row + 1); ++k)
          for (int j = k == start ? i : 0; j < 3; ++j) *value++ = A.block(k)[3 * i + j];
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
