#pragma once

#include <vector>

#include "pliant/integrate/account.hpp"
#include "pliant/integrate/scheme.hpp"
#include "pliant/integrate/tableau.hpp"
#include "pliant/system/stage_solver.hpp"

namespace pliant {

/// A diagonally implicit Runge-Kutta scheme (loschner-2020, section 3.2.3). Each implicit stage is a
/// minimisation as that of backward Euler is, with the same safeguards and the same obstacles: from
///   U_i = (x - u_i) / (a_ii h) and V_i = (x - u_i - a_ii h v_i) / (a_ii h)^2,
/// u_i and v_i what is known before the stage (equation 9), M V_i = f is the gradient of
///   1/(2 (a_ii h)^2) |x - u_i - a_ii h v_i|^2_M + Phi(x).
///
/// Obstacles that are constraints need a stiffly accurate scheme. What they hold is not carried into later
/// stages, which feel the obstacle themselves: a ball would leave a wall faster than it came. Vertices that
/// are held at the end take the velocity of the obstacle along its normal.
class RungeKutta : public Scheme {
 public:
  /// Throws InputError where obstacles are constraints and the scheme is not stiffly accurate.
  RungeKutta(const Model& model, const SolverOptions& options, Tableau tableau);

  StepReport step(State& state, double dt) override;
  Stage first_stage(const State& state, double dt) override;
  int order() const override { return tableau_.order; }

 private:
  /// What the stages of a step have found so far.
  struct Slopes {
    std::vector<Vector> u, v;  ///< U_i, V_i
  };
  /// One under way.
  struct Step {
    const State& start;
    double dt;
    StepAccount account;
    Reaction reaction = {};  ///< at the last stage
    StepReport report = {};
  };
  Stage implicit_stage(const State& state, double dt, size_t i) const;
  Vector known(const Vector& start, const std::vector<Vector>& slopes, double dt, size_t i) const;
  void take_explicit_stage(size_t i, Step& step);
  void take_implicit_stage(size_t i, Step& step, Vector& x);
  std::vector<Vector> guesses(const State& state, size_t i);
  void finish(const State& state, double dt, State& next) const;
  StepError estimated_error(double dt);

  const Model& model_;
  Tableau tableau_;
  bool stiffly_accurate_;
  StageSolver solver_;
  PotentialsAt potentials_;
  Slopes slopes_;
};

}  // namespace pliant
