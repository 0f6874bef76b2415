#pragma once

#include "pliant/linear/block_jacobi.hpp"
#include "pliant/linear/operator.hpp"

namespace pliant {

/// The minimal residual method (Paige and Saunders 1975) for symmetric A x = b, definite or not, from zero,
/// with a definite preconditioner. Keeps its work vectors, so that solving again allocates nothing.
class Minres {
 public:
  struct Report {
    int iterations = 0;
    bool converged = false;
  };

  /// Stops when the residual, in the norm of the inverse preconditioner, has fallen by `relative_tolerance`.
  Report solve(const Operator& A, const BlockJacobi& preconditioner, const Field& b,
               double relative_tolerance, int max_iterations, Field& x);

 private:
  Field v_, v_before_, z_, z_next_, Az_, w_, w_before_, w_next_;
};

}  // namespace pliant
