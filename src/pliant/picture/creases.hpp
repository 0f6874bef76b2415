#pragma once

#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

/// Doubles vertices along sharp edges, so that vertex normals averaged over the result keep a box looking
/// like a box. Where faces around a vertex meet at more than `degrees` they stop sharing it. Decide on the
/// rest shape and keep it for all frames: creases that came and went with the deformation would flicker.
Surface split_creases(const Surface& surface, double degrees = 50);

}  // namespace pliant
