#include "pliant/integrate/bdf2.hpp"

#include <cmath>

namespace pliant {

namespace {
constexpr const char *kPlaces = "x_before", *kVelocities = "v_before", *kTime = "time_before";
}

bool Bdf2::has_history(const State& state, double dt) const {
  const std::optional<double> time = state.kept_number(kTime);
  return time && state.kept(kPlaces) && state.kept(kVelocities) &&
         std::abs(state.time - *time - dt) < 1e-6 * dt && !changes_hold(model_, state.time, dt);
}

/// y1 = (4 y0 - y_before) / 3 + (2 dt / 3) y1', for positions and velocities; without history
/// y1 = y0 + dt y1'.
Stage Bdf2::first_stage(const State& state, double dt) {
  const bool history = has_history(state, dt);
  const double length = history ? 2 * dt / 3 : dt;
  Vector u = state.x, v = state.v;
  if (history) {
    u = (4 * state.x - *state.kept(kPlaces)) / 3;
    v = (4 * state.v - *state.kept(kVelocities)) / 3;
  }
  Stage stage;
  stage.time = state.time + dt;
  stage.time_step = state.time;
  stage.time_end = state.time + dt;
  stage.x_step = state.x;
  stage.c_v = 1 / length;
  stage.x_v = u;
  stage.c_a = 1 / (length * length);
  stage.x_a = u + length * v;
  return stage;
}

StepReport Bdf2::step(State& state, double dt) {
  StageObjective& objective = solver_.objective();
  StepAccount account(model_, objective, state, potentials_);
  objective.begin(instant(state, dt, state.time, state.x, state.v));
  Vector force = -account.sample(dt / 2, state.x, state.v);
  StepReport report;
  report.contacts.seconds += objective.take_contact_seconds();

  objective.begin(first_stage(state, dt));
  const Stage& stage = objective.stage();
  Vector guesses[2] = {stage.x_a, stage.x_a};
  for (Index d = 0; d < force.size(); ++d) guesses[1][d] += force[d] / (stage.c_a * model_.mass[d / 3]);
  State next = state;
  next.time = state.time + dt;
  report.outcome = solver_.solve(guesses, next.x);
  if (has_failed(report.outcome.status)) report.worst = find_worst_place(model_, objective, next.x);
  report.contacts.seconds += objective.take_contact_seconds();

  if (report.outcome.status == Status::not_finite) {
    put_back(model_, state, next, report);
  } else {
    next.v = stage.c_v * (next.x - stage.x_v);
    model_.apply_scripts(next.time, next.x, &next.v);
    const Vector& gradient = account.sample(dt / 2, next.x, next.v);
    Reaction reaction = reaction_at(model_, objective, next.x, gradient, 1 / stage.c_v);
    reaction.stops = true;
    account.close(next, report, reaction, false);
  }
  if (report.contacts.count > 0 || has_failed(report.outcome.status)) {
    for (const char* history : {kPlaces, kVelocities, kTime}) next.forget(history);
  } else {
    next.keep(kPlaces, state.x);
    next.keep(kVelocities, state.v);
    next.keep_number(kTime, state.time);
  }
  state = std::move(next);
  return report;
}

}  // namespace pliant
