#pragma once

#include <nanobind/nanobind.h>

#include "pliant/mesh/body_mesh.hpp"

namespace pliant::python {

namespace nb = nanobind;

/// A mesh of arrays: vertices (n, 3), and tets (m, 4), triangles (m, 3) or edges (m, 2); with `planar`,
/// triangles are a planar body and no sheet. `fields` has numbers for its vertices by name, `start` where
/// they begin.
struct GivenArrays {
  nb::object vertices, tets, triangles, edges, fields, start;
  bool planar = false;
};
PaintedMesh to_mesh(const GivenArrays& arrays);

/// Adds meshes to the module.
void bind_mesh(nb::module_& module);

}  // namespace pliant::python
