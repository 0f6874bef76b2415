#pragma once

#include <memory>
#include <optional>
#include <string>

#include "pliant/integrate/scheme.hpp"
#include "pliant/system/model.hpp"

namespace pliant {

/// A model, its state and the scheme that moves it. What `ModelBuilder::build` makes.
struct Assembly {
  std::unique_ptr<Model> model;
  State state;
  std::unique_ptr<Scheme> scheme;
  std::string description;  ///< of all that it was made of, in TOML; two of the same text are the same
  std::string scheme_name, solver_name;
  double tolerance = 0;                  ///< of the solver
  std::optional<double> step_tolerance;  ///< with it steps are as long as it allows, see StepControl; m

  StepReport step(double dt) { return scheme->step(state, dt); }
};

}  // namespace pliant
