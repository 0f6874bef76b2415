#include "pliant/picture/creases.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <vector>

namespace pliant {

namespace {

struct Corner {
  int vertex;
  int triangle;
  int place;  // 0, 1 or 2
};

std::vector<Vec3> unit_normals(const TriangleMesh& mesh) {
  std::vector<Vec3> normals;
  normals.reserve(mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto& x = mesh.vertices;
    normals.push_back((x[size_t(b)] - x[size_t(a)]).cross(x[size_t(c)] - x[size_t(a)]).normalized());
  }
  return normals;
}

bool share_edge_at(const std::array<int, 3>& s, const std::array<int, 3>& t, int vertex) {
  return std::any_of(s.begin(), s.end(),
                     [&](int v) { return v != vertex && std::find(t.begin(), t.end(), v) != t.end(); });
}

// Numbers the corners around one vertex by group: corners are in one group if a walk from face to face across
// edges that are not sharp leads from one to the other.
std::vector<size_t> group_corners(std::span<const Corner> corners, const TriangleMesh& mesh,
                                  const std::vector<Vec3>& normals, double least_cosine) {
  std::vector<size_t> group(corners.size());
  std::iota(group.begin(), group.end(), size_t{0});
  for (size_t i = 0; i < corners.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (group[i] == group[j]) continue;
      const size_t s = static_cast<size_t>(corners[i].triangle);
      const size_t t = static_cast<size_t>(corners[j].triangle);
      if (!share_edge_at(mesh.triangles[s], mesh.triangles[t], corners[i].vertex)) continue;
      if (normals[s].dot(normals[t]) < least_cosine) continue;
      const auto [kept, dropped] = std::minmax(group[i], group[j]);
      std::replace(group.begin(), group.end(), size_t{dropped}, size_t{kept});
    }
  }
  return group;
}

}  // namespace

Surface split_creases(const Surface& surface, double degrees) {
  const TriangleMesh& mesh = surface.mesh;
  const std::vector<Vec3> normals = unit_normals(mesh);
  const double least_cosine = std::cos(degrees * std::numbers::pi / 180);
  std::vector<Corner> corners;
  corners.reserve(3 * mesh.triangles.size());
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) corners.push_back({mesh.triangles[t][size_t(k)], static_cast<int>(t), k});
  }
  std::stable_sort(corners.begin(), corners.end(),
                   [](const Corner& a, const Corner& b) { return a.vertex < b.vertex; });

  Surface split;
  split.mesh.triangles = mesh.triangles;
  split.element_of = surface.element_of;
  for (auto begin = corners.begin(); begin != corners.end();) {
    const auto end =
        std::find_if(begin, corners.end(), [&](const Corner& c) { return c.vertex != begin->vertex; });
    const std::span<const Corner> around(begin, end);
    const std::vector<size_t> group = group_corners(around, mesh, normals, least_cosine);
    std::vector<int> vertex_of_group(group.size(), -1);
    for (size_t i = 0; i < group.size(); ++i) {
      int& vertex = vertex_of_group[group[i]];
      if (vertex < 0) {
        vertex = static_cast<int>(split.mesh.vertices.size());
        split.mesh.vertices.push_back(mesh.vertices[size_t(begin->vertex)]);
        split.vertex_of.push_back(surface.vertex_of[size_t(begin->vertex)]);
      }
      split.mesh.triangles[size_t(around[i].triangle)][size_t(around[i].place)] = vertex;
    }
    begin = end;
  }
  return split;
}

}  // namespace pliant
