#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/kernel/stretch_range.hpp"
#include "pliant/linear/kept_factor.hpp"
#include "pliant/minimize/initial_matrix.hpp"

namespace pliant {

/// How the size of a gradient is measured for the stopping test.
enum class ResidualNorm {
  velocity,  ///< s sqrt(g^T M^-1 g / sum M) in m/s, s the stage's length: the mean velocity error; knows
             ///< neither mesh size nor units
  gradient   ///< |g| in N, as in gast-2014
};

/// What L-BFGS starts from (liu-2018, section 7.3): the constant matrix of projective dynamics, a multiple of
/// the identity, the Hessian at rest, the same rotated with the surroundings of each vertex, or the Hessian
/// at the start of the stage.
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

/// Which of the safeguards of descents are used; see `safeguard_kinds`.
struct SafeguardSwitches {
  bool guesses = true, walls = true, places = true, rotations = true;
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
  SafeguardSwitches safeguards = {};
};

/// A solver or a safeguard by name.
struct SolverMethod {
  std::string_view name;
  std::string_view summary;
};
std::vector<SolverMethod> solver_methods();
std::vector<SolverMethod> safeguard_kinds();

/// What lbfgs starts from.
std::unique_ptr<InitialMatrix> make_initial_matrix(const SolverOptions& options);

}  // namespace pliant
