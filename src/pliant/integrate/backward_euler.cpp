#include "pliant/integrate/backward_euler.hpp"

#include "pliant/integrate/account.hpp"

namespace pliant {

Stage BackwardEuler::first_stage(const State& state, double dt) const {
  Stage stage;
  stage.time = state.time + dt;
  stage.c_a = 1 / (dt * dt);
  stage.x_a = state.x + dt * state.v;
  stage.c_v = 1 / dt;
  stage.x_v = state.x;
  stage.x_step = state.x;
  stage.time_step = state.time;
  return stage;
}

StepReport BackwardEuler::step(State& state, double dt) {
  const Stage stage = first_stage(state, dt);
  StageObjective& objective = solver_.objective();
  objective.begin(stage);
  StepAccount account(model_, objective, state, potentials_);

  // The search starts from where the old velocity leads, with or without the old forces (gast-2014,
  // section 3.1).
  Vector guesses[2] = {stage.x_a, stage.x_a};
  for (Index d = 0; d < stage.x_a.size(); ++d)
    guesses[1][d] -= account.start_gradient()[d] / (stage.c_a * model_.mass[d / 3]);

  State next = state;
  next.time = stage.time;
  StepReport report;
  report.outcome = solver_.solve(guesses, next.x);
  next.v = (next.x - state.x) / dt;
  if (report.outcome.status != Status::not_finite) model_.apply_scripts(next.time, next.x, &next.v);
  account.close(next, report);
  report.contacts.seconds += objective.contact_seconds();
  if (!is_converged(report.outcome.status)) report.worst = find_worst_place(model_, objective, next.x);
  state = std::move(next);
  return report;
}

}  // namespace pliant
