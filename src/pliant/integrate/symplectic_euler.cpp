#include "pliant/integrate/symplectic_euler.hpp"

#include "pliant/base/error.hpp"
#include "pliant/integrate/instant.hpp"

namespace pliant {

SymplecticEuler::SymplecticEuler(const Model& model)
    : model_(model), objective_(model, ResidualNorm::velocity) {
  if (!objective_.constraints().empty())
    throw InputError(
        "scheme symplectic-euler cannot hold bodies outside of obstacles, since its steps solve for nothing; "
        "use penalties, contact programs or a stiffly accurate scheme such as sdirk2");
}

Stage SymplecticEuler::first_stage(const State& state, double dt) {
  return instant(state, dt, state.time, state.x, state.v);
}

StepReport SymplecticEuler::step(State& state, double dt) {
  StepAccount account(model_, objective_, state, potentials_);
  StepReport report;
  report.outcome.status = Status::converged;
  objective_.begin(first_stage(state, dt));
  const Stage& stage = objective_.stage();
  const Vector v = stage.x_a - stage.x_v;
  const Vector& gradient = account.sample(dt, stage.x_a, v);
  State next = state;
  next.time = state.time + dt;
  next.v += dt * model_.accelerations(-gradient, stage.time, stage.holding());
  next.x += dt * next.v;
  model_.apply_scripts(next.time, next.x, &next.v);
  objective_.begin(instant(state, dt, next.time, next.x, next.v));
  report.contacts.seconds += objective_.take_contact_seconds();
  account.close(next, report);
  state = std::move(next);
  return report;
}

}  // namespace pliant
