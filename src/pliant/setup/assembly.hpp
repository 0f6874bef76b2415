#pragma once

#include <memory>
#include <optional>
#include <string>

#include "pliant/integrate/step_control.hpp"
#include "pliant/setup/make_scheme.hpp"

namespace pliant {

/// A model, its state and the scheme that moves it. What `ModelBuilder::build` makes.
struct Assembly {
  std::unique_ptr<Model> model;
  State state;
  SteppingOptions stepping;  ///< what the scheme was made by
  std::unique_ptr<Scheme> scheme;
  std::string description;  ///< of all that it was made of, in TOML; two of the same text are the same
  std::string scheme_name, solver_name;
  double tolerance = 0;                  ///< of the solver
  std::optional<double> step_tolerance;  ///< with it steps are as long as it allows, see StepControl; m

  /// A step of that length.
  StepReport step(double dt) { return control(dt).step(state, dt); }
  /// With the step tolerance, one that does not go beyond the time `until`; `longest` is the longest step.
  StepReport advance(double until, double longest) { return control(longest).advance(state, until); }

 private:
  StepControl control(double longest);
};

}  // namespace pliant
