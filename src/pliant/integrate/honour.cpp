#include "pliant/integrate/honour.hpp"

#include <algorithm>

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

void require_honoured(const Model& model, std::string_view scheme, const SchemeOffers& offers,
                      Programs programs) {
  const auto any = [&](ContactWay way) {
    return std::any_of(model.obstacles.begin(), model.obstacles.end(),
                       [&](const Obstacle& obstacle) { return obstacle.way == way; });
  };
  if (!offers.ends_with_stage && any(ContactWay::constraint)) throw InputError(holds_no_constraints(scheme));
  if (!offers.stages_only && any(ContactWay::springs)) throw InputError(finds_no_springs(scheme));
  if (programs == Programs::refused && (model.program_contacts || any(ContactWay::program)))
    throw InputError(
        format("scheme {} by itself knows nothing of contact = \"program\": bodies would pass through; make "
               "it by make_scheme, or the predictor of a ContactProgram",
               scheme));
}

}  // namespace pliant
