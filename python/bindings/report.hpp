#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "pliant/integrate/scheme.hpp"

namespace pliant::python {

/// What a step did, with what a person would be told where it did not converge.
struct Report {
  StepReport step;
  double time = 0;  ///< at its end, s
  std::string message;

  bool failed() const { return has_failed(step.outcome.status); }
};

/// By their names, J.
nanobind::dict energies_dict(const Energies& energies);

void bind_report(nanobind::module_& module);

}  // namespace pliant::python
