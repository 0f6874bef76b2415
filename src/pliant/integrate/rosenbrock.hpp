#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "pliant/integrate/account.hpp"
#include "pliant/integrate/instant.hpp"
#include "pliant/linear/cholesky.hpp"
#include "pliant/linear/lu.hpp"
#include "pliant/linear/merged_matrix.hpp"

namespace pliant {

/// Coefficients of a Rosenbrock scheme in the form that needs no products with the Jacobian (loschner-2020,
/// equations 11 to 13; Hairer and Wanner). Rows of `a` and `c` end before the diagonal.
struct RosenbrockTableau {
  std::string_view name, summary;
  int order = 0;
  double gamma = 0;
  std::vector<std::vector<double>> a, c;
  std::vector<double> m;               ///< weights of the stages
  std::vector<double> alphas, gammas;  ///< sums of the rows of the original form: nodes, share of df/dt
  std::vector<double> embedded = {};   ///< weights of an answer of lower order

  size_t stages() const { return m.size(); }
};

std::span<const RosenbrockTableau> rosenbrock_tableaus();

/// Which derivative of the forces the linear systems have.
enum class Jacobian {
  exact,      ///< at the start of the step
  projected,  ///< that with the Hessians of elements made definite
  lagged      ///< exact, at the start of the step before
};

/// A linearly implicit Runge-Kutta scheme: a linear system a stage with one matrix a step, no iterations, and
/// no safeguards either. Obstacles can be penalties only.
class Rosenbrock final : public Scheme {
 public:
  /// Throws InputError where obstacles are constraints.
  Rosenbrock(const Model& model, RosenbrockTableau tableau, Jacobian jacobian = Jacobian::exact);

  /// That of backward Euler with a step as long as the stages' matrix has it.
  Stage first_stage(const State& state, double dt) override;
  int order() const override { return tableau_.order; }

 private:
  StepReport advance(State& state, double dt) override;
  bool factor(const State& state, double dt, Outcome& outcome);
  bool add_stages(const State& state, double dt, State& next, StepError& error, Outcome& outcome);
  void solve(const Vector& b, Vector& x);
  Vector force(const State& state, double dt, double time, const Vector& x, const Vector& v,
               Outcome& outcome);
  Vector stage_gradient(const State& state, double dt, const Vector& v, Outcome& outcome);
  Vector force_rate(const State& state, double dt, Outcome& outcome);

  const Model& model_;
  RosenbrockTableau tableau_;
  Jacobian jacobian_;
  StageObjective objective_;
  PotentialsAt potentials_;
  std::unique_ptr<Cholesky> cholesky_;
  Lu lu_;
  MergedMatrix merged_;
  bool definite_ = false;  ///< which of both has factored
};

}  // namespace pliant
