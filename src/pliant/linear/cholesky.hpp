#pragma once

#include <memory>

#include "pliant/linear/block_matrix.hpp"

namespace pliant {

/// Direct factorisation of a symmetric block matrix. The order of elimination is found once for a pattern and
/// kept.
class Cholesky {
 public:
  virtual ~Cholesky() = default;

  /// A = L L^T; false where A is not positive definite.
  virtual bool factor(const BlockMatrix& A) = 0;
  /// Solves with the last factorisation that succeeded.
  virtual void solve(const Vector& b, Vector& x) = 0;
  void solve(const Field& b, Field& x) { solve(b.host(), x.host()); }
  /// Of each column.
  virtual Eigen::MatrixXd solve_all(const Eigen::MatrixXd& B) = 0;
};

/// CHOLMOD where the library was built with it, otherwise Eigen's.
std::unique_ptr<Cholesky> make_cholesky();
std::unique_ptr<Cholesky> make_eigen_cholesky();

}  // namespace pliant
