#include "pliant/potential/springs.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

#include "pliant/base/curve.hpp"
#include "pliant/potential/element_potential_kernel.hpp"
#include "pliant/potential/hinges.hpp"
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

/// Vertices on both sides of a hinge of a sheet, or of a vertex of a strand.
std::vector<std::pair<int, int>> bending_pairs(const TetMesh& rest) {
  std::vector<std::pair<int, int>> pairs;
  for (const auto& [from, to, left, right] : find_hinges(rest)) pairs.emplace_back(left, right);
  if (!rest.triangles.empty()) return pairs;
  std::vector<std::vector<int>> next(rest.vertices.size());
  for (const auto& [a, b] : rest.edges) {
    next[a].push_back(b);
    next[b].push_back(a);
  }
  for (const std::vector<int>& ends : next)
    if (ends.size() == 2) pairs.emplace_back(ends[0], ends[1]);
  return pairs;
}

/// Springs that can be looked up one by one.
struct SpringNetwork final : ElementPotential<Spring> {
  using ElementPotential::ElementPotential;
  std::vector<SpringAt> springs;
};

std::unique_ptr<Potential> make_network(std::span<const SpringNetwork::Corners> corners,
                                        std::span<const SpringNetwork::RestData> data,
                                        const std::vector<Vec3>& centers) {
  auto network = std::make_unique<SpringNetwork>(corners, data, order_along_curve(centers));
  for (size_t s = 0; s < data.size(); ++s)
    network->springs.push_back({corners[s][0], corners[s][1], data[s][0], data[s][1]});
  return network;
}

}  // namespace

std::span<const SpringAt> springs_of(const Potential& potential) {
  const auto* network = dynamic_cast<const SpringNetwork*>(&potential);
  return network ? network->springs : std::span<const SpringAt>();
}

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
  return make_network(corners, data, centers);
}

std::unique_ptr<Potential> make_bending_springs(const TetMesh& rest, int first_vertex, double stiffness) {
  std::vector<SpringNetwork::Corners> corners;
  std::vector<SpringNetwork::RestData> data;
  std::vector<Vec3> centers;
  for (const auto& [left, right] : bending_pairs(rest)) {
    const Vec3 &a = rest.vertices[left], &b = rest.vertices[right];
    corners.push_back({first_vertex + left, first_vertex + right});
    data.push_back({stiffness, (a - b).norm()});
    centers.push_back((a + b) / 2);
  }
  if (corners.empty()) return nullptr;
  return make_network(corners, data, centers);
}

}  // namespace pliant
