#pragma once

#include <array>
#include <span>
#include <utility>

#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

/// The six dihedral angles of a tetrahedron of positive volume, in degrees, in the order of the edges 01, 02,
/// 03, 12, 13, 23.
std::array<double, 6> dihedral_angles(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3);

/// The smallest and the largest of them.
std::pair<double, double> extreme_angles(std::span<const Vec3> vertices, const std::array<int, 4>& tet);

/// What is known of a mesh of tetrahedra as a mesh.
struct MeshQuality {
  Index vertices = 0, tets = 0, surface_triangles = 0;
  Index components = 0;  ///< connected by shared vertices
  Index unused_vertices = 0;
  Index degenerate = 0;  ///< without volume, within roundoff
  Index inverted = 0;
  double volume = 0;         ///< of the others, m^3
  Vec3 size = Vec3::Zero();  ///< of the bounding box
  double shortest_edge = 0, longest_edge = 0;
  double smallest_angle = 180, largest_angle = 0;  ///< dihedral, degrees
  std::array<Index, 18> angles{};                  ///< how many in each 10 degrees
  double smallest_ratio = 1, mean_ratio = 0;       ///< 3 inscribed / circumscribed radius: 1 is regular
  std::array<Index, 10> ratios{};                  ///< how many in each tenth
};

MeshQuality measure_quality(const TetMesh& mesh);

}  // namespace pliant
