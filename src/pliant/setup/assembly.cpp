#include "pliant/setup/assembly.hpp"

namespace pliant {

StepControl Assembly::control(double longest) {
  StepControl::Options options{.longest = longest};
  if (step_tolerance) options.tolerance = *step_tolerance;
  options.backward_euler = [this] {
    SteppingOptions safer = stepping;
    safer.scheme = {.name = "backward-euler"};
    safer.solver.lbfgs.kept = nullptr;  // it knows the matrices of the other
    return make_scheme(*model, safer);
  };
  return {*model, *scheme, std::move(options)};
}

}  // namespace pliant
