#pragma once

#include "pliant/linear/block_matrix.hpp"
#include "pliant/linear/preconditioner.hpp"
#include "pliant/linear/scalar_matrix.hpp"

namespace pliant {

/// Conjugate gradients from zero for A x = b, ended early where A turns out indefinite (gast-2014,
/// section 3.1). Keeps its work vectors, so that solving again allocates nothing. A is a BlockMatrix or a
/// ScalarMatrix.
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
  template <class Matrix>
  Report solve(const Matrix& A, const Preconditioner& preconditioner, const Vector& b,
               double relative_tolerance, Vector& x, int most = 0);

  /// Goes on from the x that `solve` left, to the same residual, with another preconditioner that measures it
  /// in the same norm. Counts its own iterations. On indefiniteness x is the last iterate.
  Report go_on(const BlockMatrix& A, const Preconditioner& preconditioner, Vector& x);

 private:
  template <class Matrix>
  Report iterate(const Matrix& A, const Preconditioner& preconditioner, double rz, Index most, Vector& x);
  void advance(double alpha, Vector& x);

  double target_ = 0;  ///< for the square of the residual
  Vector r_, z_, p_, Ap_;
};

}  // namespace pliant
