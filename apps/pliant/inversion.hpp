#pragma once

#include <span>
#include <vector>

#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/picture/renderer.hpp"

namespace pliant {

/// The surface of a body in two colours: green, and red where the element below is inside out. `positions`
/// are those of its vertices.
///
/// The triangles of a planar body may lie on top of each other; each is drawn a little above the one before,
/// those inside out above all others.
std::vector<Drawable> color_inverted(const TetMesh& rest, const Surface& surface,
                                     std::span<const Vec3> positions);

}  // namespace pliant
