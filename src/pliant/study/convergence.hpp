#pragma once

#include <vector>

#include "pliant/system/stage_solver.hpp"

namespace pliant {

/// Where a descent was after some iterations.
struct ConvergencePoint {
  int iterations = 0;
  double seconds = 0;  ///< since it began
  /// (E(x) - E(x*)) / (E(x_1) - E(x*)), with x_1 the start and x* the minimum (liu-2018, Eq. 5.10 and 7.15).
  double error = 0;
  double residual = 0;  ///< in the unit of the solver's tolerance
};

struct Convergence {
  double prepared = 0;  ///< seconds spent before on what serves all steps alike, a factor most of all
  std::vector<ConvergencePoint> points;
};

/// How solvers get to the minimum of one stage of a model, all from the same start, the inertial guess.
class ConvergenceStudy {
 public:
  /// Both must outlive it. Finds the minimum by newton-cholesky. Throws InputError where contacts make it
  /// another problem in each iteration.
  ConvergenceStudy(const Model& model, const Stage& stage);

  /// Points are kept at 0 to 10 iterations, then ever more rarely.
  Convergence of(SolverOptions options, int iterations);

  /// The condition number of A^-1 H, with A the initial matrix of lbfgs and H the Hessian at the start, both
  /// on the unknowns that are free. By dense matrices: for small models only.
  double condition(const SolverOptions& options);

 private:
  Vector start() const;

  const Model& model_;
  const Stage& stage_;
  Vector minimum_;
};

/// The iterations that points are kept at.
std::vector<int> kept_iterations(int most);

}  // namespace pliant
