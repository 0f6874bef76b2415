#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "pliant/scene/scene.hpp"

namespace pliant::python {

namespace nb = nanobind;

/// What a Python value says, as a scene file would say it; complaints name the place of each value among the
/// keys, like body[0].material.young. None stands for a key that is not there.
Value to_value(nb::handle from, const std::string& place);

/// Adds what scenes are made of to the module.
void bind_document(nb::module_& module);

}  // namespace pliant::python
