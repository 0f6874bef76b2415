#include "pliant/setup/make_scheme.hpp"

#include <algorithm>

#include "pliant/integrate/side_by_side.hpp"

namespace pliant {

std::unique_ptr<Scheme> make_scheme(const Model& model, const SteppingOptions& options) {
  const auto is_program = [](const Obstacle& obstacle) { return obstacle.way == ContactWay::program; };
  const bool corrected =
      model.program_contacts || std::any_of(model.obstacles.begin(), model.obstacles.end(), is_program);
  const Programs programs = corrected ? Programs::left_to_other : Programs::refused;
  const auto make = [&](const Model& part) {
    return make_scheme(options.scheme, part, options.solver, programs);
  };
  auto scheme = options.side_by_side ? step_parts(model, make) : make(model);
  if (corrected) scheme = std::make_unique<ContactProgram>(model, std::move(scheme), options.program);
  const auto drags_it = [](const Drag& drag) { return drag.ether > 0 || drag.internal > 0; };
  if (std::any_of(options.drags.begin(), options.drags.end(), drags_it))
    scheme = std::make_unique<Dragged>(model, options.drags, std::move(scheme));
  return scheme;
}

}  // namespace pliant
