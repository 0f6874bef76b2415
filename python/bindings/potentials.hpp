#pragma once

#include "simulation.hpp"

namespace pliant::python {

/// Adds the potential energy and its derivatives to simulations.
void bind_potentials(nb::class_<PythonSimulation>& simulation);

}  // namespace pliant::python
