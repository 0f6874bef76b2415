#pragma once

#include <memory>

#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/potential/potential.hpp"

namespace pliant {

/// Fibres that run through all tetrahedra of a mesh along one direction at rest, with energy density
/// stiffness/2 (|F d| - 1)^2 (liu-2018, section 8.3); `stiffness` in Pa. Throws InputError where the mesh has
/// no tetrahedra or the direction no length.
std::unique_ptr<Potential> make_fibres(const TetMesh& rest, int first_vertex, const Vec3& direction,
                                       double stiffness);

}  // namespace pliant
