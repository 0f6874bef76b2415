#pragma once

#include "pliant/linear/operator.hpp"
#include "pliant/linear/preconditioner.hpp"

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

  /// Stops when the residual, in the norm that the preconditioner says, has fallen by `relative_tolerance`,
  /// or after `most` iterations if that is positive. On indefiniteness x is the last iterate, on the first
  /// step the preconditioned right-hand side. Either way x . b > 0.
  Report solve(const Operator& A, const Preconditioner& preconditioner, const Field& b,
               double relative_tolerance, Field& x, int most = 0);

  /// Goes on from the x that `solve` left, to the same residual, with another preconditioner that measures it
  /// in the same norm. Counts its own iterations. On indefiniteness x is the last iterate.
  Report go_on(const Operator& A, const Preconditioner& preconditioner, Field& x);

 private:
  Report iterate(const Operator& A, const Preconditioner& preconditioner, double rz, Index most, Field& x);

  double target_ = 0;  ///< for the square of the residual
  Field r_, z_, p_, Ap_;
};

}  // namespace pliant
