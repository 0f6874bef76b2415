#pragma once

#include <memory>
#include <vector>

#include "pliant/integrate/account.hpp"
#include "pliant/integrate/stage_scheme.hpp"
#include "pliant/system/stage_solver.hpp"

namespace pliant {

/// Takes the steps of a stage scheme: begins and solves its stages, keeps the books, puts back what failed.
///
/// Obstacles that are constraints need a scheme that ends with a stage. What they hold is not carried into
/// later stages, which feel the obstacle themselves: a ball would leave a wall faster than it came. Vertices
/// that are held at the end take the velocity of the obstacle along its normal.
class StepDriver : public Scheme {
 public:
  /// Throws InputError where the scheme cannot honour the model's contacts.
  StepDriver(const Model& model, const SolverOptions& options, std::unique_ptr<const StageScheme> scheme);

  Stage first_stage(const State& state, double dt) override;
  int order() const override { return scheme_->order(); }

 private:
  StepReport advance(State& state, double dt) override;
  /// One under way.
  struct Step {
    const State& start;
    double dt;
    StepAccount account;
    std::vector<Answer> answers = {};
    Vector gradient = {};  ///< at the start, where the scheme has looked at it
    double acts = 0;       ///< how long a force of the last stage acts
    Reaction reaction = {};
    StepReport report = {};
  };
  void take(const Plan& plan, Step& step);
  Answer evaluate(const Plan& plan, Step& step);
  Answer solve(const Plan& plan, Step& step);
  std::vector<Vector> guesses(const Plan& plan, const Step& step);
  void hold(const Vector& x, const Vector& gradient, bool stops, Step& step);
  void finish(Step& step, State& end);
  void put_error(Step& step) const;
  void forget_where_holds_change(State& state, double dt) const;

  const Model& model_;
  std::unique_ptr<const StageScheme> scheme_;
  StageSolver solver_;
  StageObjective& objective_;
  PotentialsAt potentials_;
};

}  // namespace pliant
