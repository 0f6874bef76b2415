#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "pliant/linear/block_matrix.hpp"
#include "pliant/linear/cholesky.hpp"
#include "pliant/linear/merged_matrix.hpp"

namespace pliant {

/// A linear inequality for velocities: sum_k coefficients[k] . v of vertices[k] >= least. Or friction: an
/// impulse along the row of at most `limit` that makes the sum equal to `least` if it can, and opposes the
/// difference if it cannot.
struct VelocityBound {
  std::array<int, 4> vertices{-1, -1, -1, -1};  ///< different ones; -1 where there are fewer
  std::array<Vec3, 4> coefficients{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  double least = 0;   ///< m/s
  double limit = -1;  ///< of friction, N s; negative for an inequality
};

struct ProgramReport {
  enum class Status {
    solved,      ///< to the tolerance
    inaccurate,  ///< stopped at the limit of iterations; the residuals say how close
    infeasible   ///< no velocity satisfies all bounds
  };
  Status status = Status::inaccurate;
  int iterations = 0, factorisations = 0;
  bool polished = false;  ///< the active bounds were found, and hold to roundoff
  double primal = 0;      ///< largest violation of a bound, in rows scaled as below
  double dual = 0;        ///< largest force left over, each divided by the root of C's diagonal
};

/// min 1/2 v^T C v - c^T v + sum of limit |row . v - least| over friction, subject to bounds, C definite
/// (loschner-2020, equation 20): operator splitting as in OSQP (Stellato et al. 2020), one sparse
/// factorisation for many iterations, with over-relaxation and a weight of the bounds that adapts. Unknowns
/// are scaled by the roots of C's diagonal as in loschner-2020, section 4.1, and rows to length 1 then.
/// Redundant and contradicting bounds are no harm. At the end the bounds that are active are solved for
/// exactly.
class QuadraticProgram {
 public:
  struct Options {
    double tolerance = 1e-7;  ///< of both residuals, relative to what they are made of
    int max_iterations = 4000;
  };
  explicit QuadraticProgram(const Options& options) : options_(options), factor_(make_cholesky()) {}

  /// Starts from v and multipliers (impulses along the rows; may be empty), which become the answer.
  ProgramReport solve(const BlockMatrix& C, const Vector& c, std::span<const VelocityBound> bounds, Vector& v,
                      Vector& multipliers);

 private:
  class Rows;
  class Splitting;

  Options options_;
  std::unique_ptr<Cholesky> factor_;
  MergedMatrix merged_;
};

}  // namespace pliant
