#pragma once

#include <memory>

#include "pliant/linear/scalar_matrix.hpp"

namespace pliant {

/// A direct solver for matrices that are factored once and solved with many times, for x, y and z at once.
/// The factor is supernodal: dense trapezoids, which the solve reads once each way at the speed of memory. It
/// is kept in single precision, where the answer need not be exact, or in double.
class ConstantFactor {
 public:
  struct Data;
  enum class Precision { single, exact };

  explicit ConstantFactor(Precision precision);
  ~ConstantFactor();
  ConstantFactor(ConstantFactor&&) noexcept;
  ConstantFactor& operator=(ConstantFactor&&) noexcept;

  /// False where the matrix is not positive definite. The analysis of a pattern is kept.
  bool factor(const ScalarMatrix& A);
  /// Three numbers a vertex. The same bits for any number of threads; not from two threads at once.
  void solve(const Vector& b, Vector& x) const;
  void solve(const Field& b, Field& x) const { solve(b.host(), x.host()); }

 private:
  std::unique_ptr<Data> data_;
};

}  // namespace pliant
