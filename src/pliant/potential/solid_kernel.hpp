#pragma once

// Makes the elastic potential of a mesh from a material; each material's source file instantiates it once,
// since every instantiation takes seconds to compile.

#include <Eigen/LU>
#include <memory>

#include "pliant/geometry/tet_mesh.hpp"
#include "pliant/material/lame.hpp"
#include "pliant/potential/element_potential_kernel.hpp"
#include "pliant/potential/tet_solid_kernel.hpp"

namespace pliant {

/// The energy is `scale` times that of the material: a material of three moduli is given two of them in units
/// of the third, which is the scale.
template <class Material>
std::unique_ptr<ElementPotential<TetSolid<Material>>> make_tet_solid(const TetMesh& rest, int first_vertex,
                                                                     const Lame& lame, double scale = 1) {
  using Solid = ElementPotential<TetSolid<Material>>;
  std::vector<typename Solid::Corners> corners(rest.tets.size());
  std::vector<typename Solid::RestData> data(rest.tets.size());
  std::vector<Vec3> centers(rest.tets.size());
  for (size_t t = 0; t < rest.tets.size(); ++t) {
    const auto& tet = rest.tets[t];
    Vec3 X[4];
    for (int a = 0; a < 4; ++a) {
      X[a] = rest.vertices[tet[a]];
      corners[t][a] = first_vertex + tet[a];
    }
    Mat3 edges;
    for (int a = 0; a < 3; ++a) edges.col(a) = X[a + 1] - X[0];
    const Mat3 inverse = edges.inverse();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) data[t][3 * i + j] = inverse(i, j);
    data[t][9] = scale * (edges.determinant() / 6);
    data[t][10] = lame.mu;
    data[t][11] = lame.lambda;
    centers[t] = (X[0] + X[1] + X[2] + X[3]) / 4;
  }
  auto solid = std::make_unique<Solid>(corners, data, centers);
  if constexpr (kDirect<Material, double>) {
    double volume = 0;
    for (const auto& element : data) volume += element[TetSolid<Material>::kVolume];
    solid->set_roundoff(Material::kRoundoff * lame.mu * volume);
  }
  return solid;
}

}  // namespace pliant
