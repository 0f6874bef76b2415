#pragma once

#include <array>
#include <span>

#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

/// A tube around every edge, so that strands can be seen.
TriangleMesh make_tubes(std::span<const Vec3> points, std::span<const std::array<int, 2>> edges,
                        double radius);

}  // namespace pliant
