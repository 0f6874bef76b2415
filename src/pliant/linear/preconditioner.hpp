#pragma once

#include "pliant/base/field.hpp"

namespace pliant {

/// A symmetric positive definite B that stands in for a matrix and is easily inverted.
class Preconditioner {
 public:
  struct Sizes {
    double product;  ///< r . z
    double squared;  ///< of r, in the norm that residuals are measured in, whatever the preconditioner
  };

  virtual ~Preconditioner() = default;

  /// z = B^-1 r.
  virtual Sizes precondition(const Field& r, Field& z) const = 0;
};

}  // namespace pliant
