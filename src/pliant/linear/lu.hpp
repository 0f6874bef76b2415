#pragma once

#include <memory>

#include "pliant/base/field.hpp"
#include "pliant/linear/block_matrix.hpp"

namespace pliant {

/// Direct factorisation with pivoting of a symmetric block matrix that need not be definite. Several times as
/// costly as Cholesky's.
class Lu {
 public:
  Lu();
  ~Lu();

  /// False where A is singular.
  bool factor(const BlockMatrix& A);
  /// Solves with the last factorisation.
  void solve(const Vector& b, Vector& x);
  void solve(const Field& b, Field& x) { solve(b.host(), x.host()); }

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace pliant
