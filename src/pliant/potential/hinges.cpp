#include "pliant/potential/hinges.hpp"

#include <Eigen/Geometry>
#include <map>

#include "pliant/kernel/hinge.hpp"
#include "pliant/potential/element_potential.hpp"
#include "pliant/potential/packed_kernel.hpp"

namespace pliant {

namespace {

/// Of the angle at a between b and c.
double cotangent(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a, v = c - a;
  return u.dot(v) / u.cross(v).norm();
}

}  // namespace

std::vector<std::array<int, 4>> find_hinges(const TetMesh& rest) {
  std::map<std::pair<int, int>, int> opposite;  // of directed edges
  for (const auto& t : rest.triangles)
    for (int k = 0; k < 3; ++k) opposite[{t[k], t[(k + 1) % 3]}] = t[(k + 2) % 3];
  std::vector<std::array<int, 4>> hinges;
  for (const auto& [edge, left] : opposite) {
    const auto other = opposite.find({edge.second, edge.first});
    if (edge.first < edge.second && other != opposite.end())
      hinges.push_back({edge.first, edge.second, left, other->second});
  }
  return hinges;
}

std::unique_ptr<Potential> make_hinges(const TetMesh& rest, int first_vertex, double stiffness) {
  ElementList hinges;
  for (const std::array<int, 4>& hinge : find_hinges(rest)) {
    Small3<double> x[4];
    std::array<Vec3, 4> X;
    for (int i = 0; i < 4; ++i) {
      X[i] = rest.vertices[hinge[i]];
      x[i] = {X[i].x(), X[i].y(), X[i].z()};
    }
    const Vec3 e = X[1] - X[0];
    const double area = (e.cross(X[2] - X[0]).norm() + e.cross(X[3] - X[0]).norm()) / 2, length = e.norm();
    const double c01 = cotangent(X[0], X[1], X[2]), c02 = cotangent(X[0], X[1], X[3]),
                 c03 = cotangent(X[1], X[0], X[2]), c04 = cotangent(X[1], X[0], X[3]);
    hinges.add(std::array{first_vertex + hinge[0], first_vertex + hinge[1], first_vertex + hinge[2],
                          first_vertex + hinge[3]},
               std::array{3 * stiffness * length * length / area, Hinge::angle(x), (c03 + c04) / length,
                          (c01 + c02) / length, -(c01 + c03) / length, -(c02 + c04) / length},
               (X[0] + X[1]) / 2);
  }
  if (hinges.centers.empty()) return nullptr;
  return std::make_unique<ElementPotential>(element_functions<Hinge>(), hinges);
}

}  // namespace pliant
