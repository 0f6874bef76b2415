#pragma once

#include <memory>

#include "pliant/linear/block_matrix.hpp"
#include "pliant/linear/preconditioner.hpp"
#include "pliant/linear/scalar_matrix.hpp"

namespace pliant {

/// A factorisation that leaves out most of what it would have to fill in (Lin and More 1999): a
/// preconditioner that sees further than the diagonal and costs as much as a product or two.
class IncompleteCholesky final : public Preconditioner {
 public:
  IncompleteCholesky();
  ~IncompleteCholesky() override;

  /// False where no factorisation was found.
  bool factor(const BlockMatrix& matrix);
  /// Acts on x, y and z alike.
  bool factor(const ScalarMatrix& matrix);

  Sizes precondition(const Field& r, Field& z) const override;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace pliant
