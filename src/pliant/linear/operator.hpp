#pragma once

#include <span>

#include "pliant/base/field.hpp"

namespace pliant {

class BlockMatrix;

/// A symmetric matrix that need not be there as one: what a Krylov method asks of it. Rows and columns of
/// held unknowns are those of the identity.
class Operator {
 public:
  virtual ~Operator() = default;

  /// Ap = A p; returns p . Ap. Not from two threads at once.
  virtual double multiply(const Field& p, Field& Ap) const = 0;
  /// xx xy xz yy yz zz of the block on the diagonal of each block of unknowns.
  virtual void diagonal(std::span<double> six_a_block) const = 0;
  /// The matrix itself, for those who factor it; null where there is none.
  virtual const BlockMatrix* assembled() const { return nullptr; }
};

}  // namespace pliant
