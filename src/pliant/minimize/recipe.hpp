#pragma once

#include <memory>

#include "pliant/minimize/direction.hpp"
#include "pliant/minimize/line_search.hpp"
#include "pliant/minimize/solver_options.hpp"

namespace pliant {

/// What a solver is made of.
struct Recipe {
  SolverMethod method;
  std::unique_ptr<Direction> (*direction)(const SolverOptions&);
  std::unique_ptr<LineSearch> (*search)(const SolverOptions&);
  bool checks = true;          ///< downhill, not too long; and steps that follow rotations
  bool long_descents = false;  ///< places that hold most of the gradient move alone, walls are approached on
                               ///< a detour
};

/// Throws InputError where no solver has that name.
const Recipe& find_recipe(const std::string& method);

}  // namespace pliant
