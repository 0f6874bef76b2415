#include "pliant/potential/element_solid.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <array>

namespace pliant {

namespace {

/// Inverse of the rest edges by rows (9), volume, mu, lambda. The energy is linear in the moduli, so that
/// what multiplies them in an element multiplies its volume.
ElementList solid_records(const SolidRest& solid, const Lame& lame, double scale) {
  const TetMesh& rest = solid.mesh;
  ElementList list;
  for (size_t t = 0; t < rest.element_count(); ++t) {
    const std::span<const int> element = rest.element(t);
    const int corners = static_cast<int>(element.size());
    const Vec3& X0 = rest.vertices[element[0]];
    Vec3 center = Vec3::Zero();
    Mat3 edges = Mat3::Identity();  // the third edge of a planar element is the unit vector along z
    std::array<int, kMostCorners> vertices;
    for (int a = 0; a < corners; ++a) {
      const Vec3& X = rest.vertices[element[a]];
      vertices[a] = solid.first_vertex + element[a];
      center += X / corners;
      // Of a hexahedron, corners 1, 2 and 4 are next to corner 0.
      const int edge = corners < 8 ? a - 1 : a == 4 ? 2 : a < 3 ? a - 1 : -1;
      if (edge >= 0) edges.col(edge) = X - X0;
    }
    const Mat3 inverse = edges.inverse();
    std::array<double, 12> data;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) data[3 * i + j] = inverse(i, j);
    const double share = corners == 8 ? 1 : rest.planar() ? rest.thickness / 2 : 1 / 6.0;
    data[9] = scale * share * edges.determinant();
    if (!solid.stiffness.empty()) data[9] *= solid.stiffness[t];
    data[10] = lame.mu;
    data[11] = lame.lambda;
    list.add({vertices.data(), element.size()}, data, center);
  }
  return list;
}

/// Inverse of the rest edges in the plane of the triangle by rows (4), volume, mu, lambda. The material is
/// thin: nothing presses on its sides, so that in the plane its lambda is less.
ElementList sheet_records(const SolidRest& solid, const Lame& lame, double scale) {
  const TetMesh& rest = solid.mesh;
  ElementList list;
  for (size_t k = 0; k < rest.triangles.size(); ++k) {
    const std::array<int, 3>& t = rest.triangles[k];
    const Vec3 &X0 = rest.vertices[t[0]], e1 = rest.vertices[t[1]] - X0, e2 = rest.vertices[t[2]] - X0;
    const Vec3 along = e1.normalized(), across = e1.cross(e2).cross(e1).normalized();
    // Edges in the plane of the triangle: (l, 0) and (p, q).
    const double l = e1.norm(), p = e2.dot(along), q = e2.dot(across);
    double volume = scale * rest.thickness * l * q / 2;
    if (!solid.stiffness.empty()) volume *= solid.stiffness[k];
    list.add(std::array{solid.first_vertex + t[0], solid.first_vertex + t[1], solid.first_vertex + t[2]},
             std::array{1 / l, -p / (l * q), 0.0, 1 / q, volume, lame.mu,
                        2 * lame.mu * lame.lambda / (lame.lambda + 2 * lame.mu)},
             X0 + (e1 + e2) / 3);
  }
  return list;
}

}  // namespace

std::unique_ptr<Potential> make_elements(const SolidFunctions& material, const SolidRest& rest,
                                         const Lame& lame, double scale) {
  if (rest.mesh.thin())
    return std::make_unique<ElementPotential>(material.sheet, sheet_records(rest, lame, scale));
  const ElementFunctions& kind = !rest.mesh.hexes.empty() ? material.hexes
                                 : rest.mesh.planar()     ? material.triangles
                                                          : material.tets;
  const ElementList elements = solid_records(rest, lame, scale);
  auto solid = std::make_unique<ElementPotential>(kind, elements);
  if (material.roundoff > 0) {
    double volume = 0;
    for (size_t e = 0; e < elements.centers.size(); ++e) volume += elements.rest[e * kind.rest + kind.volume];
    solid->set_roundoff(material.roundoff * lame.mu * volume);
  }
  return solid;
}

}  // namespace pliant
