#include "pliant/integrate/friction_after_step.hpp"

#include <algorithm>

#include "pliant/integrate/account.hpp"
#include "pliant/integrate/step_end.hpp"

namespace pliant {

void FrictionAfterStep::after_step(StepEnd& end) {
  StepReport& report = end.report;
  const FrictionWork work = apply_friction(end.pressed, end.model.mass, end.fixed, end.length(), end.after.v);
  report.work.friction += work.gained;
  report.contacts.friction_gain = std::max(report.contacts.friction_gain, work.most_seen);
  report.energies.kinetic = kinetic_energy(end.model, end.after.v);
}

}  // namespace pliant
