#pragma once

// Makes the elastic potential of a mesh from a material; each material's source file instantiates it once,
// since every instantiation takes seconds to compile.

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <memory>

#include "pliant/material/lame.hpp"
#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/potential/element_potential_kernel.hpp"
#include "pliant/potential/hex_solid_kernel.hpp"
#include "pliant/potential/membrane_kernel.hpp"
#include "pliant/potential/plane_solid_kernel.hpp"
#include "pliant/potential/tet_solid_kernel.hpp"

namespace pliant {

/// With the kernel of tetrahedra, of hexahedra or of triangles, as the mesh has. The energy is `scale` times
/// that of the material: a material of three moduli is given two of them in units of the third, which is the
/// scale.
template <class Material, class Kernel>
std::unique_ptr<ElementPotential<Kernel>> make_elements(const TetMesh& rest, int first_vertex,
                                                        const Lame& lame, double scale,
                                                        const Kernel& kernel) {
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
  auto solid = std::make_unique<Solid>(corners, data, order_of_elements(centers), kernel);
  if constexpr (kDirect<Material, double>) {
    double volume = 0;
    for (const auto& element : data) volume += element[Kernel::kVolume];
    solid->set_roundoff(Material::kRoundoff * lame.mu * volume);
  }
  return solid;
}

template <class Material>
std::unique_ptr<ElementPotential<TetSolid<Material>>> make_tet_solid(const TetMesh& rest, int first_vertex,
                                                                     const Lame& lame, double scale = 1,
                                                                     const Material& material = {}) {
  return make_elements<Material, TetSolid<Material>>(rest, first_vertex, lame, scale, {material});
}

/// Of a sheet in space, whose material is thin: nothing presses on its sides, so that in the plane its lambda
/// is less.
template <class Material>
std::unique_ptr<Potential> make_membrane(const TetMesh& rest, int first_vertex, const Lame& lame,
                                         double scale, const Material& material) {
  using Sheet = ElementPotential<Membrane<Material>>;
  std::vector<typename Sheet::Corners> corners;
  std::vector<typename Sheet::RestData> data;
  std::vector<Vec3> centers;
  for (const std::array<int, 3>& t : rest.triangles) {
    const Vec3 &X0 = rest.vertices[t[0]], e1 = rest.vertices[t[1]] - X0, e2 = rest.vertices[t[2]] - X0;
    const Vec3 along = e1.normalized(), across = e1.cross(e2).cross(e1).normalized();
    // Edges in the plane of the triangle: (l, 0) and (p, q).
    const double l = e1.norm(), p = e2.dot(along), q = e2.dot(across);
    corners.push_back({first_vertex + t[0], first_vertex + t[1], first_vertex + t[2]});
    data.push_back({1 / l, -p / (l * q), 0, 1 / q, scale * rest.thickness * l * q / 2, lame.mu,
                    2 * lame.mu * lame.lambda / (lame.lambda + 2 * lame.mu)});
    if (!lame.of_element.empty())
      data.back()[Membrane<Material>::kVolume] *= lame.of_element[data.size() - 1];
    centers.push_back(X0 + (e1 + e2) / 3);
  }
  return std::make_unique<Sheet>(corners, data, order_of_elements(centers), Membrane<Material>{material});
}

/// Of a planar body, a sheet or one in space, of whatever elements.
template <class Material>
std::unique_ptr<Potential> make_solid_of(const TetMesh& rest, int first_vertex, const Lame& lame,
                                         double scale = 1, const Material& material = {}) {
  if (rest.thin()) return make_membrane<Material>(rest, first_vertex, lame, scale, material);
  if (!rest.hexes.empty())
    return make_elements<Material, HexSolid<Material>>(rest, first_vertex, lame, scale, {material});
  if (rest.planar())
    return make_elements<Material, PlaneSolid<Material>>(rest, first_vertex, lame, scale, {{material}});
  return make_tet_solid<Material>(rest, first_vertex, lame, scale, material);
}

}  // namespace pliant
