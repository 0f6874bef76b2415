#pragma once

#include "pliant/linear/block_jacobi.hpp"
#include "pliant/linear/block_matrix.hpp"

namespace pliant {

/// Conjugate gradients from zero for A x = b, ended early where A turns out indefinite (gast-2014,
/// section 3.1). Keeps its work vectors, so that solving again allocates nothing.
class ConjugateGradient {
 public:
  struct Report {
    int iterations = 0;
    bool indefinite = false;
    bool converged = false;
  };

  /// Stops when the residual, in the norm of the inverse preconditioner, has fallen by `relative_tolerance`.
  /// On indefiniteness x is the last iterate, on the first step the preconditioned right-hand side. Either
  /// way x . b > 0.
  Report solve(const BlockMatrix& A, const BlockJacobi& preconditioner, const Vector& b,
               double relative_tolerance, Vector& x);

 private:
  void advance(double alpha, Vector& x);

  Vector r_, z_, p_, Ap_;
};

}  // namespace pliant
