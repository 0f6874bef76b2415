#include "pliant/integrate/scheme.hpp"

#include "pliant/base/timer.hpp"
#include "pliant/integrate/account.hpp"
#include "pliant/integrate/honour.hpp"
#include "pliant/integrate/step_end.hpp"

namespace pliant {

Scheme::Scheme() = default;
Scheme::~Scheme() = default;

Scheme::Scheme(const Model& model) : model_(&model) {
  for (const auto& contact : model.contacts)
    if (contact->couples() == Couples::bodies_after_the_step) after_step_.push_back(contact->clone_contact());
}

Scheme::Scheme(const Model& model, std::string_view name, const Demands& offers) : Scheme(model) {
  name_ = name;
  offers_ = offers;
  require_honoured(model, name, offers);
}

StepReport Scheme::step(State& state, double dt) {
  if (after_step_.empty()) return advance(state, dt);
  const State before = state;
  StepReport report = advance(state, dt);
  double seconds = 0;
  act_after_step(before, state, report, seconds);
  report.contacts.seconds += seconds;
  return report;
}

void Scheme::act_after_step(const State& before, State& state, StepReport& report, double& seconds) {
  const ScopedTimer timer(seconds);
  const std::vector<char> fixed = model_->fixed_dofs(state.time);
  const std::vector<ContactPoint> none;
  StepEnd end{*model_, before, state, report, fixed, none, [&] { return energies_of(*model_, state); }};
  for (const auto& contact : after_step_) contact->after_step(end);
  for (const auto& contact : after_step_) report.verdict = std::max(report.verdict, contact->judge(end));
}

}  // namespace pliant
