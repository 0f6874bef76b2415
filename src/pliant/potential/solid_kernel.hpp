#pragma once

// Makes the elastic potential of a mesh from a material; each material's source file instantiates it once,
// since every instantiation takes seconds to compile.

#include <Eigen/LU>
#include <memory>

#include "pliant/base/curve.hpp"
#include "pliant/geometry/tet_mesh.hpp"
#include "pliant/material/lame.hpp"
#include "pliant/potential/element_potential_kernel.hpp"
#include "pliant/potential/hex_solid_kernel.hpp"
#include "pliant/potential/plane_solid_kernel.hpp"
#include "pliant/potential/tet_solid_kernel.hpp"

namespace pliant {

/// With the kernel of tetrahedra, of hexahedra or of triangles, as the mesh has. The energy is `scale` times
/// that of the material: a material of three moduli is given two of them in units of the third, which is the
/// scale.
template <class Material, class Kernel>
std::unique_ptr<ElementPotential<Kernel>> make_elements(const TetMesh& rest, int first_vertex,
                                                        const Lame& lame, double scale) {
  using Solid = ElementPotential<Kernel>;
  const size_t count = rest.element_count();
  std::vector<typename Solid::Corners> corners(count);
  std::vector<typename Solid::RestData> data(count);
  std::vector<Vec3> centers(count, Vec3::Zero());
  for (size_t t = 0; t < count; ++t) {
    const std::span<const int> element = rest.element(t);
    const Vec3& X0 = rest.vertices[element[0]];
    Mat3 edges = Mat3::Identity();  // the third edge of a planar element is the unit vector along z
    for (int a = 0; a < Kernel::kCorners; ++a) {
      const Vec3& X = rest.vertices[element[a]];
      corners[t][a] = first_vertex + element[a];
      centers[t] += X / Kernel::kCorners;
      // Of a hexahedron, corners 1, 2 and 4 are next to corner 0.
      const int edge = Kernel::kCorners < 8 ? a - 1 : a == 4 ? 2 : a < 3 ? a - 1 : -1;
      if (edge >= 0) edges.col(edge) = X - X0;
    }
    const Mat3 inverse = edges.inverse();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) data[t][3 * i + j] = inverse(i, j);
    const double share = Kernel::kCorners == 8 ? 1 : rest.planar() ? rest.thickness / 2 : 1 / 6.0;
    data[t][9] = scale * share * edges.determinant();
    if (!lame.of_element.empty()) data[t][9] *= lame.of_element[t];  // energies are linear in the moduli
    data[t][10] = lame.mu;
    data[t][11] = lame.lambda;
  }
  auto solid = std::make_unique<Solid>(corners, data, order_along_curve(centers));
  if constexpr (kDirect<Material, double>) {
    double volume = 0;
    for (const auto& element : data) volume += element[Kernel::kVolume];
    solid->set_roundoff(Material::kRoundoff * lame.mu * volume);
  }
  return solid;
}

template <class Material>
std::unique_ptr<ElementPotential<TetSolid<Material>>> make_tet_solid(const TetMesh& rest, int first_vertex,
                                                                     const Lame& lame, double scale = 1) {
  return make_elements<Material, TetSolid<Material>>(rest, first_vertex, lame, scale);
}

/// Of a planar body or one in space, of whatever elements.
template <class Material>
std::unique_ptr<Potential> make_solid_of(const TetMesh& rest, int first_vertex, const Lame& lame,
                                         double scale = 1) {
  if (!rest.hexes.empty())
    return make_elements<Material, HexSolid<Material>>(rest, first_vertex, lame, scale);
  if (rest.planar()) return make_elements<Material, PlaneSolid<Material>>(rest, first_vertex, lame, scale);
  return make_tet_solid<Material>(rest, first_vertex, lame, scale);
}

}  // namespace pliant
