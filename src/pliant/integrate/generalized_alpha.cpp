#include "pliant/integrate/generalized_alpha.hpp"

#include <cmath>

#include "pliant/base/error.hpp"

namespace pliant {

namespace {
constexpr const char *kAcceleration = "acceleration", *kTime = "time_before";
}

AlphaWeights AlphaWeights::of(double rho) {
  AlphaWeights w;
  w.alpha_m = (2 * rho - 1) / (rho + 1);
  w.alpha_f = rho / (rho + 1);
  w.gamma = 0.5 - w.alpha_m + w.alpha_f;
  w.beta = (1 - w.alpha_m + w.alpha_f) * (1 - w.alpha_m + w.alpha_f) / 4;
  return w;
}

GeneralizedAlpha::GeneralizedAlpha(const Model& model, const SolverOptions& options,
                                   const AlphaWeights& weights)
    : model_(model), w_(weights), solver_(model, options) {
  if (w_.alpha_f != 0 && !solver_.objective().constraints().empty())
    throw InputError(
        "scheme generalized-alpha cannot hold bodies outside of obstacles, since its forces are not those of "
        "the end of a step; use penalties, contact programs or a stiffly accurate scheme such as sdirk2");
}

/// At the start of a step, of which `length` seconds are booked as that moment.
Vector GeneralizedAlpha::acceleration(const State& state, StepAccount& account, double dt, double length) {
  StageObjective& objective = solver_.objective();
  objective.begin(instant(state, dt, state.time, state.x, state.v));
  const Vector& gradient = account.sample(length, state.x, state.v);
  const Vector* kept = state.kept(kAcceleration);
  const std::optional<double> before = state.kept_number(kTime);
  const bool usable = kept && before && !changes_hold(model_, state.time, dt);
  // What is kept is the acceleration a fixed share of the step before off this moment, to second order, and
  // is wanted the same share of this step off.
  const double ratio = usable ? dt / (state.time - *before) : 1;
  if (usable && (w_.alpha_m == w_.alpha_f || std::abs(ratio - 1) < 1e-6)) return *kept;
  const Vector now = model_.accelerations(-gradient, state.time, state.time + dt);
  return usable ? Vector(now + ratio * (*kept - now)) : now;
}

/// With u1 = (x - alpha_f u0) / (1 - alpha_f), the unknown x being u at t_n+1 - alpha_f dt, both
///   a1 = (u1 - u0 - dt v0 - dt^2 (1/2 - beta) a0) / (beta dt^2) and v1 = v0 + dt ((1 - gamma) a0 + gamma a1)
/// are linear in x, and so are their means with the values of the start.
Stage GeneralizedAlpha::stage(const State& state, const Vector& a0, double dt) const {
  const double share = 1 - w_.alpha_f;
  Stage stage;
  stage.time = state.time + share * dt;
  stage.time_step = state.time;
  stage.time_end = state.time + dt;
  stage.delay = (w_.alpha_m - w_.alpha_f) * dt;
  stage.x_step = state.x;
  // Where a1 = 0.
  const Vector coast = state.x + share * (dt * state.v + dt * dt * (0.5 - w_.beta) * a0);
  stage.c_a = (1 - w_.alpha_m) / (share * w_.beta * dt * dt);
  stage.x_a = coast - (w_.alpha_m / stage.c_a) * a0;
  stage.c_v = w_.gamma / (w_.beta * dt);
  stage.x_v = coast - (1 / stage.c_v) * (state.v + share * dt * (1 - w_.gamma) * a0);
  return stage;
}

Stage GeneralizedAlpha::first_stage(const State& state, double dt) {
  StepAccount account(model_, solver_.objective(), state, potentials_);
  return stage(state, acceleration(state, account, dt, 0), dt);
}

StepReport GeneralizedAlpha::step(State& state, double dt) {
  StageObjective& objective = solver_.objective();
  StepAccount account(model_, objective, state, potentials_);
  const Vector a0 = acceleration(state, account, dt, dt / 2);
  StepReport report;
  report.contacts.seconds += objective.take_contact_seconds();

  objective.begin(stage(state, a0, dt));
  const Vector guesses[2] = {objective.stage().x_a, objective.stage().x_a + a0 / objective.stage().c_a};
  Vector x;
  report.outcome = solver_.solve(guesses, x);
  if (has_failed(report.outcome.status)) report.worst = find_worst_place(model_, objective, x);
  report.contacts.seconds += objective.take_contact_seconds();

  State next = state;
  next.time = state.time + dt;
  Vector a1 = Vector::Zero(x.size());
  if (report.outcome.status == Status::not_finite) {
    put_back(model_, state, next, report);
  } else {
    next.x = (x - w_.alpha_f * state.x) / (1 - w_.alpha_f);
    a1 = (next.x - state.x - dt * state.v - dt * dt * (0.5 - w_.beta) * a0) / (w_.beta * dt * dt);
    next.v = state.v + dt * ((1 - w_.gamma) * a0 + w_.gamma * a1);
    model_.apply_scripts(next.time, next.x, &next.v);
    if (w_.alpha_f != 0) objective.begin(instant(state, dt, next.time, next.x, next.v));
    const Vector& gradient = account.sample(dt / 2, next.x, next.v);
    Reaction reaction = reaction_at(model_, objective, next.x, gradient, w_.gamma * dt);
    reaction.stops = true;
    account.close(next, report, reaction, false);
  }
  if (report.contacts.count > 0 || has_failed(report.outcome.status)) {
    for (const char* history : {kAcceleration, kTime}) next.forget(history);
  } else {
    next.keep(kAcceleration, std::move(a1));
    next.keep_number(kTime, state.time);
  }
  state = std::move(next);
  return report;
}

}  // namespace pliant
