#pragma once

#include <Eigen/Core>
#include <span>

#include "pliant/base/types.hpp"

namespace pliant {

/// What a relative velocity along a direction must be: at least `least`. Or friction: an impulse of at most
/// `limit` that makes it equal to `least` if it can, and opposes the difference if it cannot.
struct VelocityBound {
  double least = 0;   ///< m/s
  double limit = -1;  ///< of friction, N s; negative for an inequality
};

struct ProgramReport {
  enum class Status {
    solved,      ///< to the tolerance
    inaccurate,  ///< stopped at the limit of iterations; the residual says how close
    infeasible,  ///< no velocity satisfies all bounds
    too_large    ///< not tried: more places touch at once than there are numbers to hold
  };
  Status status = Status::inaccurate;
  int iterations = 0, factorisations = 0;
  bool polished = false;  ///< the active bounds were found, and hold to roundoff
  double residual = 0;    ///< by how much a condition of the answer is missed, in rows scaled as below
  double error = 0;       ///< the same relative to the velocities
};

/// min 1/2 v^T C v - c^T v + sum of limit |G v - least| over friction, subject to G v >= least elsewhere, C
/// definite (loschner-2020, equation 20), in the space of the impulses y: v = C^-1 (c + G^T y), so that all
/// it needs to know is how the rows answer to impulses along them, A = G C^-1 G^T, and what they are without
/// any.
///
/// Operator splitting as in OSQP (Stellato et al. 2020), one factorisation for many iterations, with
/// over-relaxation and a weight of the bounds that adapts. Rows are scaled so that A has ones on its
/// diagonal, whatever scale G came with: that does what the row scaling of loschner-2020, section 4.1, is
/// for. Its Jacobi scaling of C has no counterpart and is not needed, since the iteration meets C only
/// through A, for which it has been factored. Redundant and contradicting bounds are no harm. Before and in
/// between, the bounds that seem active are solved for exactly.
class QuadraticProgram {
 public:
  struct Options {
    double tolerance = 1e-7;  ///< of the residual, relative to the velocities
    int max_iterations = 4000;
    bool exact =
        true;  ///< tries to solve for the active bounds exactly, which is faster; else it splits alone
  };
  explicit QuadraticProgram(const Options& options) : options_(options) {}

  /// `free` are the rows without impulses, G C^-1 c. Starts from the impulses given (none if there are not as
  /// many as rows), which become the answer.
  ProgramReport solve(const Eigen::MatrixXd& A, const Vector& free, std::span<const VelocityBound> bounds,
                      Vector& impulses) const;

 private:
  Options options_;
};

}  // namespace pliant
