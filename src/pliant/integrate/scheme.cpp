#include "pliant/integrate/scheme.hpp"

#include "pliant/base/timer.hpp"
#include "pliant/integrate/account.hpp"
#include "pliant/integrate/step_end.hpp"

namespace pliant {

Scheme::Scheme() = default;
Scheme::~Scheme() = default;

Scheme::Scheme(const Model& model) : model_(&model) {
  for (const auto& contact : model.contacts)
    if (contact->couples() == Couples::bodies_after_the_step) after_step_.push_back(contact->clone_contact());
}

StepReport Scheme::step(State& state, double dt) {
  if (after_step_.empty()) return advance(state, dt);
  const State before = state;
  StepReport report = advance(state, dt);
  const ScopedTimer timer(report.contacts.seconds);
  const std::vector<char> fixed = model_->fixed_dofs(state.time);
  const std::vector<ContactPoint> none;
  StepEnd end{*model_, before, state, report, fixed, none, [&] { return energies_of(*model_, state); }};
  for (const auto& contact : after_step_) {
    contact->after_step(end);
    report.verdict = std::max(report.verdict, contact->judge(end));
  }
  return report;
}

}  // namespace pliant
