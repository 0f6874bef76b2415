#include "pliant/integrate/runge_kutta.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/integrate/instant.hpp"

namespace pliant {

RungeKutta::RungeKutta(const Model& model, const SolverOptions& options, Tableau tableau)
    : model_(model),
      tableau_(std::move(tableau)),
      stiffly_accurate_(tableau_.is_stiffly_accurate()),
      solver_(model, options) {
  slopes_.u.resize(tableau_.stages());
  slopes_.v.resize(tableau_.stages());
  if (!stiffly_accurate_ && !solver_.objective().constraints().empty())
    throw InputError("scheme " + tableau_.name +
                     " cannot hold bodies outside of obstacles, since its steps do not end with a stage; use "
                     "penalties, contact programs or a stiffly accurate scheme such as sdirk2");
}

/// y_n + h sum_j<i a_ij Y_j (equation 9).
Vector RungeKutta::known(const Vector& start, const std::vector<Vector>& slopes, double dt, size_t i) const {
  Vector sum = start;
  for (size_t j = 0; j < i; ++j)
    if (tableau_.a[i][j] != 0) sum += (dt * tableau_.a[i][j]) * slopes[j];
  return sum;
}

Stage RungeKutta::implicit_stage(const State& state, double dt, size_t i) const {
  const double length = tableau_.diagonal(i) * dt;
  Stage stage;
  stage.time = state.time + tableau_.c[i] * dt;
  stage.c_v = 1 / length;
  stage.x_v = known(state.x, slopes_.u, dt, i);
  stage.c_a = 1 / (length * length);
  stage.x_a = stage.x_v + length * known(state.v, slopes_.v, dt, i);
  stage.x_step = state.x;
  stage.time_step = state.time;
  stage.time_end = state.time + dt;
  return stage;
}

Stage RungeKutta::first_stage(const State& state, double dt) {
  Step step{state, dt, {model_, solver_.objective(), state, potentials_}};
  size_t i = 0;
  for (; i + 1 < tableau_.stages() && tableau_.diagonal(i) == 0; ++i) take_explicit_stage(i, step);
  return implicit_stage(state, dt, i);
}

StepReport RungeKutta::step(State& state, double dt) {
  StageObjective& objective = solver_.objective();
  Step step{state, dt, {model_, objective, state, potentials_}};
  StepReport& report = step.report;
  State next = state;
  next.time = state.time + dt;
  report.outcome.status = Status::converged;
  for (size_t i = 0; i < tableau_.stages() && report.outcome.status != Status::not_finite; ++i) {
    if (tableau_.diagonal(i) == 0)
      take_explicit_stage(i, step);
    else
      take_implicit_stage(i, step, next.x);
  }
  if (report.outcome.status == Status::not_finite) {
    put_back(model_, state, next, report);
  } else {
    finish(state, dt, next);
    if (!tableau_.embedded.empty()) report.error = estimated_error(dt);
    if (!stiffly_accurate_) {
      objective.begin(instant(state, dt, next.time, next.x, next.v));
      report.contacts.seconds += objective.take_contact_seconds();
    }
    step.account.close(next, report, step.reaction);
  }
  state = std::move(next);
  return report;
}

void RungeKutta::take_explicit_stage(size_t i, Step& step) {
  StageObjective& objective = solver_.objective();
  const State& state = step.start;
  const double dt = step.dt;
  objective.begin(instant(state, dt, state.time + tableau_.c[i] * dt, known(state.x, slopes_.u, dt, i),
                          known(state.v, slopes_.v, dt, i)));
  const Stage& stage = objective.stage();
  slopes_.u[i] = stage.x_a - stage.x_v;
  const Vector& gradient = step.account.sample(tableau_.b[i] * dt, stage.x_a, slopes_.u[i]);
  slopes_.v[i] = model_.accelerations(-gradient, stage.time, stage.holding());
}

/// x becomes its answer.
void RungeKutta::take_implicit_stage(size_t i, Step& step, Vector& x) {
  StageObjective& objective = solver_.objective();
  StepReport& report = step.report;
  objective.begin(implicit_stage(step.start, step.dt, i));
  const Outcome outcome = solver_.solve(guesses(step.start, i), x);
  report.outcome.add(outcome);
  if (outcome.status != Status::not_finite) {
    const Stage& stage = objective.stage();
    slopes_.u[i] = stage.c_v * (x - stage.x_v);
    slopes_.v[i] = stage.c_a * (x - stage.x_a);
    const Vector& gradient = step.account.sample(tableau_.b[i] * step.dt, x, slopes_.u[i],
                                                 tableau_.stages() == 1 && tableau_.c[0] == 1);
    if (!objective.constraints().empty()) {
      step.reaction = reaction_at(model_, objective, x, gradient, tableau_.diagonal(i) * step.dt);
      step.reaction.stops = tableau_.stages() > 1;
      for (Index d = 0; d < x.size(); ++d) slopes_.v[i][d] -= step.reaction.force[d] / model_.mass[d / 3];
    }
  }
  if (has_failed(outcome.status) && report.worst.vertex < 0)
    report.worst = find_worst_place(model_, objective, x);
  report.contacts.seconds += objective.take_contact_seconds();
}

/// Where no force acts, and where the force of the stage before goes on to act, or that of the start.
std::vector<Vector> RungeKutta::guesses(const State& state, size_t i) {
  const Stage& stage = solver_.objective().stage();
  std::vector<Vector> guesses(2, stage.x_a);
  if (i > 0) {
    guesses[1] += slopes_.v[i - 1] / stage.c_a;
  } else {
    Vector gradient = potentials_.gradient;
    solver_.objective().add_stage_gradient(state.x, gradient);
    for (Index d = 0; d < gradient.size(); ++d)
      guesses[1][d] -= gradient[d] / (stage.c_a * model_.mass[d / 3]);
  }
  return guesses;
}

/// The difference to the answer of the embedded weights. Scripts make no error.
StepError RungeKutta::estimated_error(double dt) {
  StepError error;
  error.x.setZero(slopes_.u[0].size());
  error.v.setZero(slopes_.u[0].size());
  for (size_t i = 0; i < tableau_.stages(); ++i) {
    const double weight = dt * (tableau_.b[i] - tableau_.embedded[i]);
    error.x += weight * slopes_.u[i];
    error.v += weight * slopes_.v[i];
  }
  const std::span<const char> fixed = solver_.objective().fixed();
  for (Index d = 0; d < error.x.size(); ++d)
    if (fixed[d]) error.x[d] = error.v[d] = 0;
  error.power = std::min(tableau_.order, tableau_.embedded_order) + 1;
  return error;
}

/// The end of the step from its stages. Of a stiffly accurate scheme the last stage is the end.
void RungeKutta::finish(const State& state, double dt, State& next) const {
  if (stiffly_accurate_) {
    next.v = slopes_.u.back();
  } else {
    next.x = state.x;
    next.v = state.v;
    for (size_t i = 0; i < tableau_.stages(); ++i) {
      next.x += dt * tableau_.b[i] * slopes_.u[i];
      next.v += dt * tableau_.b[i] * slopes_.v[i];
    }
  }
  model_.apply_scripts(next.time, next.x, &next.v);
}

}  // namespace pliant
