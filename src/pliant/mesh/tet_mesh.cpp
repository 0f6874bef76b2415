#include "pliant/mesh/tet_mesh.hpp"

#include <Eigen/Geometry>
#include <limits>
#include <numbers>

#include "pliant/kernel/brick.hpp"

namespace pliant {

double signed_volume(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
  const Vec3 a = x1 - x0, b = x2 - x0, c = x3 - x0;
  return a.cross(b).dot(c) / 6;
}

double signed_area(const Vec3& x0, const Vec3& x1, const Vec3& x2) {
  const Vec3 a = x1 - x0, b = x2 - x0;
  return (a.x() * b.y() - a.y() * b.x()) / 2;
}

double smallest_volume(const std::array<Vec3, 8>& corners) {
  const BrickEdges<Vec3> edges = brick_edges<double>(corners.data());
  double smallest = std::numeric_limits<double>::infinity();
  for (size_t q = 0; q < 8; ++q) {
    const auto along = [&](size_t axis) -> const Vec3& { return edges[axis][brick_edge(q, axis)]; };
    smallest = std::min(smallest, along(0).cross(along(1)).dot(along(2)));
  }
  return smallest;
}

std::vector<double> lumped_masses(const TetMesh& mesh, double density) {
  std::vector<double> masses(mesh.vertices.size(), 0.0);
  for (const auto& hex : mesh.hexes) {
    const auto edge = [&](int corner) -> Vec3 { return mesh.vertices[hex[corner]] - mesh.vertices[hex[0]]; };
    for (const int vertex : hex) masses[vertex] += density * edge(1).cross(edge(2)).dot(edge(4)) / 8;
  }
  if (!mesh.hexes.empty()) return masses;
  for (const auto& tet : mesh.tets) {
    const double volume = signed_volume(mesh.vertices[tet[0]], mesh.vertices[tet[1]], mesh.vertices[tet[2]],
                                        mesh.vertices[tet[3]]);
    for (const int vertex : tet) masses[vertex] += density * volume / 4;
  }
  for (const auto& triangle : mesh.triangles) {
    const Vec3 &a = mesh.vertices[triangle[0]], &b = mesh.vertices[triangle[1]],
               &c = mesh.vertices[triangle[2]];
    const double area = mesh.thin() ? (b - a).cross(c - a).norm() / 2 : signed_area(a, b, c);
    for (const int vertex : triangle) masses[vertex] += density * mesh.thickness * area / 3;
  }
  if (mesh.triangles.empty()) {
    const double section = std::numbers::pi * mesh.thickness * mesh.thickness / 4;
    for (const auto& [a, b] : mesh.edges) {
      const double length = (mesh.vertices[a] - mesh.vertices[b]).norm();
      for (const int vertex : {a, b}) masses[vertex] += density * section * length / 2;
    }
  }
  return masses;
}

std::vector<MassPair> mass_pairs(const TetMesh& mesh, double density) {
  std::vector<MassPair> pairs;
  const auto place = [&](int vertex) -> const Vec3& { return mesh.vertices[vertex]; };
  for (size_t e = 0; e < mesh.element_count(); ++e) {
    const std::span<const int> c = mesh.element(e);
    // The integral of the product of two shape functions: of a simplex the same for all pairs, of a brick 1/3
    // or 1/6 along each axis, as the corners lie side by side or apart along it.
    const auto share = [&](size_t i, size_t j) {
      if (c.size() < 8) return c.size() == 4 ? 1 / 20.0 : 1 / 12.0;
      double product = 1;
      for (size_t axis = 1; axis < 8; axis *= 2) product *= (i & axis) == (j & axis) ? 1 / 3.0 : 1 / 6.0;
      return product;
    };
    const double mass =
        density *
        (c.size() == 8
             ? (place(c[1]) - place(c[0])).cross(place(c[2]) - place(c[0])).dot(place(c[4]) - place(c[0]))
         : c.size() == 4 ? signed_volume(place(c[0]), place(c[1]), place(c[2]), place(c[3]))
                         : mesh.thickness * signed_area(place(c[0]), place(c[1]), place(c[2])));
    for (size_t i = 0; i < c.size(); ++i)
      for (size_t j = i + 1; j < c.size(); ++j) pairs.push_back({c[i], c[j], mass * share(i, j)});
  }
  return pairs;
}

std::vector<int> drop_unused_vertices(TetMesh& mesh) {
  std::vector<int> number(mesh.vertices.size(), -1);
  for (const auto& tet : mesh.tets)
    for (const int vertex : tet) number[vertex] = 0;
  for (const auto& triangle : mesh.triangles)
    for (const int vertex : triangle) number[vertex] = 0;
  for (const auto& edge : mesh.edges)
    for (const int vertex : edge) number[vertex] = 0;
  int next = 0;
  for (size_t i = 0; i < number.size(); ++i) {
    if (number[i] < 0) continue;
    mesh.vertices[next] = mesh.vertices[i];
    number[i] = next++;
  }
  mesh.vertices.resize(next);
  for (auto& tet : mesh.tets)
    for (int& vertex : tet) vertex = number[vertex];
  for (auto& hex : mesh.hexes)
    for (int& vertex : hex) vertex = number[vertex];
  for (auto& triangle : mesh.triangles)
    for (int& vertex : triangle) vertex = number[vertex];
  for (auto& edge : mesh.edges)
    for (int& vertex : edge) vertex = number[vertex];
  return number;
}

}  // namespace pliant
