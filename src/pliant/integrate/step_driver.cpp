#include "pliant/integrate/step_driver.hpp"

namespace pliant {

StepDriver::StepDriver(const Model& model, const SolverOptions& options,
                       std::unique_ptr<const StageScheme> scheme)
    : Scheme(model, scheme->name(), scheme->offers()),
      model_(model),
      scheme_(std::move(scheme)),
      solver_(model, options),
      objective_(solver_.objective()) {}

Stage StepDriver::first_stage(const State& state, double dt) {
  State start = state;
  forget_where_holds_change(start, dt);
  Step step{start, dt, {model_, objective_, start, potentials_}};
  Stage stage;
  while (const std::optional<Plan> plan = scheme_->next(start, dt, step.answers)) {
    stage = plan->stage;
    if (plan->task == Plan::Task::solve) break;
    take(*plan, step);
  }
  return stage;
}

StepReport StepDriver::advance(State& state, double dt) {
  forget_where_holds_change(state, dt);
  Step step{state, dt, {model_, objective_, state, potentials_}};
  StepReport& report = step.report;
  report.outcome.status = Status::converged;
  State end = state;
  end.time = state.time + dt;
  while (report.outcome.status != Status::not_finite) {
    const std::optional<Plan> plan = scheme_->next(state, dt, step.answers);
    if (!plan) break;
    take(*plan, step);
  }
  if (report.outcome.status == Status::not_finite)
    put_back(model_, state, end, report);
  else
    finish(step, end);
  if (report.contacts.count > 0 || has_failed(report.outcome.status))
    for (const char* name : scheme_->history()) end.forget(name);
  state = std::move(end);
  return std::move(report);
}

void StepDriver::take(const Plan& plan, Step& step) {
  objective_.begin(plan.stage);
  step.answers.push_back(plan.task == Plan::Task::solve ? solve(plan, step) : evaluate(plan, step));
  step.report.contacts.seconds += objective_.take_contact_seconds();
}

Answer StepDriver::evaluate(const Plan& plan, Step& step) {
  const Stage& stage = objective_.stage();
  const bool begins = plan.task == Plan::Task::begin;
  Answer answer;
  answer.x = begins ? step.start.x : stage.x_a;
  answer.u = begins ? step.start.v : Vector(stage.x_a - stage.x_v);
  const Vector& gradient = step.account.sample(plan.booked, answer.x, answer.u);
  if (begins) step.gradient = gradient;
  if (plan.forces) answer.a = model_.accelerations(-gradient, stage.time, stage.holding());
  return answer;
}

Answer StepDriver::solve(const Plan& plan, Step& step) {
  Answer answer;
  auto& [x, u, a] = answer;
  const Outcome outcome = solver_.solve(guesses(plan, step), x);
  step.report.outcome.add(outcome);
  step.acts = plan.acts;
  if (outcome.status != Status::not_finite) {
    const Stage& stage = objective_.stage();
    u = stage.c_v * (x - stage.x_v);
    a = stage.c_a * (x - stage.x_a);
    if (scheme_->booked_at_end() == 0) {
      const bool is_all =
          step.answers.empty() && plan.booked == step.dt && stage.time == step.start.time + step.dt;
      hold(x, step.account.sample(plan.booked, x, u, is_all), !is_all, step);
      for (Index d = 0; d < step.reaction.force.size(); ++d)
        a[d] -= step.reaction.force[d] / model_.mass[d / 3];
    }
  }
  if (has_failed(outcome.status) && step.report.worst.vertex < 0)
    step.report.worst = find_worst_place(model_, objective_, x);
  return answer;
}

/// Where no force acts, and where the force of the stage before goes on to act, or that of the start.
std::vector<Vector> StepDriver::guesses(const Plan& plan, const Step& step) {
  const Stage& stage = objective_.stage();
  std::vector<Vector> guesses(2, stage.x_a);
  if (plan.push.size() > 0) {
    guesses[1] += plan.push / stage.c_a;
    return guesses;
  }
  Vector gradient = step.gradient;
  if (gradient.size() == 0) {
    gradient = potentials_.gradient;
    objective_.add_stage_gradient(step.start.x, gradient);
  }
  for (Index d = 0; d < gradient.size(); ++d) guesses[1][d] -= gradient[d] / (stage.c_a * model_.mass[d / 3]);
  return guesses;
}

/// What constraints do at x. Where that is all that a step has, as in backward Euler, vertices that are held
/// keep the velocity of their way: it is the obstacle's a step later.
void StepDriver::hold(const Vector& x, const Vector& gradient, bool stops, Step& step) {
  if (!objective_.feasible_places()) return;
  step.reaction = reaction_at(model_, objective_, x, gradient, step.acts);
  step.reaction.stops = stops;
}

void StepDriver::finish(Step& step, State& end) {
  scheme_->combine(step.start, step.dt, step.answers, end);
  model_.apply_scripts(end.time, end.x, &end.v);
  put_error(step);
  if (!scheme_->offers().ends_with_stage) {
    objective_.begin(instant(step.start, step.dt, end.time, end.x, end.v));
    step.report.contacts.seconds += objective_.take_contact_seconds();
  }
  const double share = scheme_->booked_at_end();
  if (share > 0) hold(end.x, step.account.sample(share * step.dt, end.x, end.v), true, step);
  step.account.close(end, step.report, step.reaction, share == 0);
}

/// Scripts make no error.
void StepDriver::put_error(Step& step) const {
  std::optional<StepError> error = scheme_->error(step.dt, step.answers);
  if (!error) return;
  const std::span<const char> fixed = objective_.fixed();
  for (Index d = 0; d < error->x.size(); ++d)
    if (fixed[d]) error->x[d] = error->v[d] = 0;
  step.report.error = std::move(error);
}

void StepDriver::forget_where_holds_change(State& state, double dt) const {
  if (scheme_->history().empty() || model_.scripts.empty() ||
      model_.fixed_dofs(state.time) == model_.fixed_dofs(state.time + dt))
    return;
  for (const char* name : scheme_->history()) state.forget(name);
}

}  // namespace pliant
