#pragma once

#include <memory>

#include "pliant/material/lame.hpp"
#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/potential/potential.hpp"

namespace pliant {

// One a material; each is defined in a source file of its own.
std::unique_ptr<Potential> make_fixed_corotated_solid(const TetMesh& rest, int first_vertex,
                                                      const Lame& lame);
std::unique_ptr<Potential> make_st_venant_kirchhoff_solid(const TetMesh& rest, int first_vertex,
                                                          const Lame& lame);
std::unique_ptr<Potential> make_neo_hookean_solid(const TetMesh& rest, int first_vertex, const Lame& lame);
std::unique_ptr<Potential> make_stable_neo_hookean_solid(const TetMesh& rest, int first_vertex,
                                                         const Lame& lame);
std::unique_ptr<Potential> make_extrapolated_neo_hookean_solid(const TetMesh& rest, int first_vertex,
                                                               const Lame& lame);
std::unique_ptr<Potential> make_mooney_rivlin_solid(const TetMesh& rest, int first_vertex, const Lame& lame);
std::unique_ptr<Potential> make_corotated_solid(const TetMesh& rest, int first_vertex, const Lame& lame);
std::unique_ptr<Potential> make_as_rigid_as_possible_solid(const TetMesh& rest, int first_vertex,
                                                           const Lame& lame);
std::unique_ptr<Potential> make_polynomial_solid(const TetMesh& rest, int first_vertex, const Lame& lame);
std::unique_ptr<Potential> make_strain_limited_solid(const TetMesh& rest, int first_vertex, const Lame& lame);
std::unique_ptr<Potential> make_spline_solid(const TetMesh& rest, int first_vertex, const Lame& lame);
/// Resists a change of volume alone, by the squared distance to the nearest F that keeps it, with stiffness
/// 2 mu; an addition to another material.
std::unique_ptr<Potential> make_volume_solid(const TetMesh& rest, int first_vertex, const Lame& lame);

}  // namespace pliant
