#include "pliant/setup/make_scheme.hpp"

#include <algorithm>

#include "pliant/integrate/side_by_side.hpp"

namespace pliant {

std::unique_ptr<Scheme> make_scheme(const Model& model, const SteppingOptions& options) {
  const auto make = [&](const Model& part) {
    return make_joint_scheme(options.scheme, part, options.solver);
  };
  auto scheme = options.side_by_side ? step_components(model, make) : make(model);
  const auto drags_it = [](const Drag& drag) { return drag.ether > 0 || drag.internal > 0; };
  if (std::any_of(options.drags.begin(), options.drags.end(), drags_it))
    scheme = std::make_unique<Dragged>(model, options.drags, std::move(scheme));
  return scheme;
}

}  // namespace pliant
