#include "pliant/setup/assembly.hpp"

namespace pliant {

StepControl Assembly::control(double longest) {
  StepControl::Options options{.longest = longest};
  if (step_tolerance) options.tolerance = *step_tolerance;
  const SchemeOptions backward_euler{.name = "backward-euler"};
  if (stepping.scheme.name != backward_euler.name)
    options.backward_euler = [this, backward_euler] {
      SteppingOptions safer = stepping;
      safer.scheme = backward_euler;
      safer.solver.lbfgs.kept = nullptr;  // it knows the matrices of the other
      return make_scheme(*model, safer);
    };
  return {*model, *scheme, std::move(options)};
}

}  // namespace pliant
