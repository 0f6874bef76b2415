#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/minimize/descend.hpp"
#include "pliant/minimize/kept_factor.hpp"
#include "pliant/system/stage_objective.hpp"

namespace pliant {

/// What L-BFGS starts from (liu-2018, section 7.3): the constant matrix of projective dynamics, a multiple of
/// the identity, the Hessian at rest, the same turned with the surroundings of each vertex, or the Hessian at
/// the start of the stage.
enum class InitialHessian { projective, identity, rest, warped, start };

struct LbfgsOptions {
  int window = 5;  ///< steps remembered
  StretchRange range = {};
  double newton_below = 0;  ///< Newton's method takes over from this residual on
  InitialHessian initial = InitialHessian::projective;
  CgPreconditioner preconditioner = CgPreconditioner::jacobi;  ///< where conjugate gradients solve with it
  bool wolfe = false;  ///< searches for a point that satisfies the strong Wolfe conditions
  std::shared_ptr<KeptFactor> kept = nullptr;  ///< of the constant matrix, where bodies tear
};

struct SolverOptions {
  std::string method = "newton-cg";
  double tolerance = 1e-3;
  ResidualNorm norm = ResidualNorm::velocity;
  int max_iterations = 500;
  double sigma = 0.1;     ///< how exactly linear systems are solved: relative tolerance min(1/2, sigma
                          ///< sqrt(max(residual, tolerance)))
  double kappa = 1e-2;    ///< a direction closer than this to perpendicular to the gradient is replaced
  int iterations = 0;     ///< where positive: so many a stage, converged or not
  int cg_iterations = 0;  ///< where positive: so many in each linear system
  LbfgsOptions lbfgs = {};
};

/// A solver by name.
struct SolverMethod {
  std::string_view name;
  std::string_view summary;
};
std::vector<SolverMethod> solver_methods();

/// What lbfgs starts from.
std::unique_ptr<InitialMatrix> make_initial_matrix(const SolverOptions& options);

/// Solves stages of one model by one method: the objective, a direction, a line search and the descent loop,
/// put together.
class StageSolver {
 public:
  /// Throws InputError where no method has that name.
  StageSolver(const Model& model, const SolverOptions& options);

  /// Minimises the objective of the stage it has begun. Of the guesses, the best informed of which comes
  /// last, the one with the smallest objective is the start; where one is infinite or went too far, the place
  /// where the step began is another. x is the answer. Where no finite start is found the status says so and
  /// x is the start of the step.
  Outcome solve(std::span<const Vector> guesses, Vector& x);

  StageObjective& objective() { return objective_; }

  /// So many, converged or not.
  void set_iterations(int iterations) { options_.iterations = iterations; }
  /// Has each point of a descent told to `watch`.
  void set_watch(std::function<void(int iterations, const Vector& x)> watch) {
    options_.watch = std::move(watch);
  }

 private:
  /// Goes on from x and `outcome`, the end of a descent that met walls.
  void descend_near_walls(Vector& x, Outcome& outcome);
  bool consider(const Vector& guess, Vector& x);
  bool went_too_far();
  double evaluate(const Vector& x, Vector* gradient);
  /// Finds a finite start where every guess is infinite; false if there is none.
  bool approach(Vector& x);
  void add_push(const Vector& x, const Vector& way, Vector& gradient);
  bool go_while_finite(Vector& x, const Vector& way);

  StageObjective objective_;
  DescentOptions options_;
  bool helps_long_descents_ = false;
  std::unique_ptr<Direction> direction_;
  std::unique_ptr<LineSearch> search_;
  Vector scratch_, gradient_, scratch_gradient_;
  bool guessed_ = false;  ///< a finite start has been found
  Outcome start_;         ///< what it cost to find it
};

}  // namespace pliant
