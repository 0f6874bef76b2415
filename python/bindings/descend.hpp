#pragma once

#include <nanobind/nanobind.h>

namespace pliant::python {

/// Adds the descent loop, for objectives that are written in Python.
void bind_descend(nanobind::module_& module);

}  // namespace pliant::python
