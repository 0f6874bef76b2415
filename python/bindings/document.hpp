#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "pliant/scene/scene.hpp"

namespace pliant::python {

namespace nb = nanobind;

/// What a Python value says, as a scene file would say it; complaints name the place of each value among the
/// keys, like body[0].material.young. None stands for a key that is not there.
Value to_value(nb::handle from, const std::string& place);

/// A mesh of arrays: vertices (n, 3), and tets (m, 4), triangles (m, 3) or edges (m, 2); with `planar`,
/// triangles are a planar body and no sheet. `fields` has numbers for its vertices by name, `start` where
/// they begin.
struct GivenArrays {
  nb::object vertices, tets, triangles, edges, fields, start;
  bool planar = false;
};
PaintedMesh to_mesh(const GivenArrays& arrays);

/// Adds what documents, scenes and their bodies are to the module.
void bind_scene(nb::module_& module);

}  // namespace pliant::python
