#include "pliant/integrate/honour.hpp"

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

std::string holds_no_constraints(std::string_view scheme) {
  return format(
      "scheme {} cannot hold bodies outside of obstacles, since its steps do not end where its forces are "
      "taken; give obstacles contact = \"penalty\" or \"program\", or use a stiffly accurate scheme such as "
      "sdirk2",
      scheme);
}

std::string finds_no_springs(std::string_view scheme) {
  return format(
      "scheme {} takes forces besides those of its stages, and contact = \"springs\" finds its springs while "
      "a stage is solved; give obstacles contact = \"penalty\", or use a scheme such as sdirk2",
      scheme);
}

std::string goes_too_far(std::string_view scheme) {
  return format(
      "scheme {} goes to places that no solver has searched for, and a contact of the model says how far a "
      "step may go; use a scheme such as backward-euler or sdirk2",
      scheme);
}

void require_honoured(const Model& model, std::string_view scheme, const Demands& offers) {
  for (const auto& contact : model.contacts) {
    const Demands demands = contact->demands();
    if (demands.ends_with_stage && !offers.ends_with_stage) throw InputError(holds_no_constraints(scheme));
    if (demands.stages_only && !offers.stages_only) throw InputError(finds_no_springs(scheme));
    if (contact->step_limit() && !(offers.ends_with_stage && offers.stages_only))
      throw InputError(goes_too_far(scheme));
  }
}

}  // namespace pliant
