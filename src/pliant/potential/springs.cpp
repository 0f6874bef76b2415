#include "pliant/potential/springs.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

#include "pliant/base/curve.hpp"
#include "pliant/potential/element_potential_kernel.hpp"
#include "pliant/potential/spring_kernel.hpp"

namespace pliant {

namespace {

/// Of each edge, the area of its triangles.
std::vector<double> areas_around(const TetMesh& rest) {
  std::vector<double> areas(rest.edges.size(), 0.0);
  for (const auto& t : rest.triangles) {
    const Vec3 &a = rest.vertices[t[0]], &b = rest.vertices[t[1]], &c = rest.vertices[t[2]];
    const double area = (b - a).cross(c - a).norm() / 2;
    for (int k = 0; k < 3; ++k) {
      std::array<int, 2> edge{t[k], t[(k + 1) % 3]};
      std::sort(edge.begin(), edge.end());
      areas[std::lower_bound(rest.edges.begin(), rest.edges.end(), edge) - rest.edges.begin()] += area;
    }
  }
  return areas;
}

}  // namespace

std::unique_ptr<Potential> make_springs(const TetMesh& rest, int first_vertex, double young,
                                        std::span<const double> of_edge) {
  using Springs = ElementPotential<Spring>;
  const std::vector<double> areas = areas_around(rest);
  const double section = std::numbers::pi * rest.thickness * rest.thickness / 4;
  std::vector<Springs::Corners> corners;
  std::vector<Springs::RestData> data;
  std::vector<Vec3> centers;
  for (size_t e = 0; e < rest.edges.size(); ++e) {
    const auto [a, b] = rest.edges[e];
    const double length = (rest.vertices[a] - rest.vertices[b]).norm();
    double stiffness = rest.triangles.empty() ? young * section / length
                                              : young * rest.thickness * areas[e] / (length * length);
    if (!of_edge.empty()) stiffness *= of_edge[e];
    corners.push_back({first_vertex + a, first_vertex + b});
    data.push_back({stiffness, length});
    centers.push_back((rest.vertices[a] + rest.vertices[b]) / 2);
  }
  return std::make_unique<Springs>(corners, data, order_along_curve(centers));
}

}  // namespace pliant
