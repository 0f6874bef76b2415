#include "pliant/geometry/tet_mesh.hpp"

#include <Eigen/Geometry>

namespace pliant {

double signed_volume(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
  const Vec3 a = x1 - x0, b = x2 - x0, c = x3 - x0;
  return a.cross(b).dot(c) / 6;
}

std::vector<double> lumped_masses(const TetMesh& mesh, double density) {
  std::vector<double> masses(mesh.vertices.size(), 0.0);
  for (const auto& tet : mesh.tets) {
    const double volume = signed_volume(mesh.vertices[tet[0]], mesh.vertices[tet[1]], mesh.vertices[tet[2]],
                                        mesh.vertices[tet[3]]);
    for (const int vertex : tet) masses[vertex] += density * volume / 4;
  }
  return masses;
}

}  // namespace pliant
