#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "pliant/material/lame.hpp"
#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/potential/potential.hpp"

namespace pliant {

/// The elastic energy of a mesh of linear tetrahedra, or of triangles in plane strain. Contributions are its
/// elements, in their order in the mesh.
using SolidFactory = std::unique_ptr<Potential> (*)(const TetMesh& rest, int first_vertex, const Lame& lame);

/// A material that solids can be made of.
struct SolidMaterial {
  std::string_view name;
  std::string_view summary;
  SolidFactory make;
};

/// All of them.
std::span<const SolidMaterial> solid_materials();

/// By name; throws InputError where there is none of that name.
std::unique_ptr<Potential> make_solid(std::string_view material, const TetMesh& rest, int first_vertex,
                                      const Lame& lame);

}  // namespace pliant
