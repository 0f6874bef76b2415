#pragma once

#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/spatial/shape.hpp"

namespace pliant {

/// Hexahedra of a side `cell`: those of a regular grid whose centres are inside. Throws InputError where
/// there is none, or too many.
TetMesh make_voxels(const Shape& shape, double cell);

}  // namespace pliant
