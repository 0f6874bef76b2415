#include "pliant/mesh/quality.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "pliant/base/groups.hpp"

namespace pliant {

namespace {

/// Three times the radius of the inscribed sphere over that of the circumscribed one.
double radius_ratio(const std::array<Vec3, 4>& x) {
  const Vec3 a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
  const double six_volumes = a.dot(b.cross(c));
  const double areas =
      (b.cross(c).norm() + c.cross(a).norm() + a.cross(b).norm() + (b - a).cross(c - a).norm()) / 2;
  const double in = std::abs(six_volumes) / (2 * areas);
  const double circum =
      (a.squaredNorm() * b.cross(c) + b.squaredNorm() * c.cross(a) + c.squaredNorm() * a.cross(b)).norm() /
      (2 * std::abs(six_volumes));
  return 3 * in / circum;
}

}  // namespace

std::array<double, 6> dihedral_angles(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
  const std::array<Vec3, 4> x{x0, x1, x2, x3};
  constexpr int kEdges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
  std::array<double, 6> angles{};
  for (int e = 0; e < 6; ++e) {
    const auto [i, j, k, l] = kEdges[e];
    // The angle between the other two corners seen along the edge.
    const Vec3 along = (x[j] - x[i]).normalized();
    const Vec3 u = x[k] - x[i] - along * along.dot(x[k] - x[i]);
    const Vec3 v = x[l] - x[i] - along * along.dot(x[l] - x[i]);
    angles[e] = std::atan2(u.cross(v).norm(), u.dot(v)) * 180 / std::numbers::pi;
  }
  return angles;
}

std::pair<double, double> extreme_angles(std::span<const Vec3> vertices, const std::array<int, 4>& tet) {
  const auto [a, b, c, d] = tet;
  const std::array<double, 6> angles = dihedral_angles(vertices[a], vertices[b], vertices[c], vertices[d]);
  const auto [smallest, largest] = std::minmax_element(angles.begin(), angles.end());
  return {*smallest, *largest};
}

MeshQuality measure_quality(const TetMesh& mesh) {
  MeshQuality quality;
  quality.vertices = std::ssize(mesh.vertices);
  quality.tets = std::ssize(mesh.tets);
  quality.surface_triangles = std::ssize(extract_surface(mesh).mesh.triangles);
  Eigen::AlignedBox3d bounds;
  for (const Vec3& vertex : mesh.vertices) bounds.extend(vertex);
  quality.size = mesh.vertices.empty() ? Vec3::Zero() : Vec3(bounds.sizes());
  quality.shortest_edge = std::numeric_limits<double>::infinity();
  quality.smallest_ratio = 1;

  Groups groups(mesh.vertices.size());
  std::vector<char> used(mesh.vertices.size(), 0);
  Index proper = 0;
  for (const auto& tet : mesh.tets) {
    std::array<Vec3, 4> x;
    for (int i = 0; i < 4; ++i) {
      x[i] = mesh.vertices[tet[i]];
      used[tet[i]] = 1;
      groups.join(tet[0], tet[i]);
    }
    double longest = 0;
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) {
        const double edge = (x[i] - x[j]).norm();
        quality.shortest_edge = std::min(quality.shortest_edge, edge);
        longest = std::max(longest, edge);
      }
    quality.longest_edge = std::max(quality.longest_edge, longest);
    const double volume = signed_volume(x[0], x[1], x[2], x[3]);
    constexpr double kFlatTet = 1e-12;
    if (!(std::abs(6 * volume) > kFlatTet * longest * longest * longest)) {
      ++quality.degenerate;
      continue;
    }
    quality.inverted += volume < 0;
    quality.volume += volume;
    ++proper;
    for (const double angle : dihedral_angles(x[0], x[1], x[2], x[3])) {
      quality.smallest_angle = std::min(quality.smallest_angle, angle);
      quality.largest_angle = std::max(quality.largest_angle, angle);
      ++quality.angles[std::min<size_t>(17, static_cast<size_t>(angle / 10))];
    }
    const double ratio = radius_ratio(x);
    quality.smallest_ratio = std::min(quality.smallest_ratio, ratio);
    quality.mean_ratio += ratio;
    ++quality.ratios[std::min<size_t>(9, static_cast<size_t>(ratio * 10))];
  }
  if (proper > 0) quality.mean_ratio /= static_cast<double>(proper);
  for (size_t i = 0; i < used.size(); ++i) {
    quality.unused_vertices += !used[i];
    quality.components += used[i] && groups.of(static_cast<int>(i)) == static_cast<int>(i);
  }
  return quality;
}

}  // namespace pliant
