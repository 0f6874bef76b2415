#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <numbers>
#include <set>

#include "mesh/mesh_checks.hpp"
#include "pliant/mesh/mesh_contents.hpp"

namespace pliant {

/// Two triangles and a loose vertex with a scalar and a colour; coordinates and values are awkward to print.
inline MeshContents awkward_surface() {
  MeshContents mesh;
  mesh.vertices = awkward_mesh().vertices;
  mesh.triangles = {{0, 1, 2}, {5, 4, 3}, {200, 100, 7}};
  PointData stiffness{"stiffness", 1, {}}, colour{"colour", 3, {}}, velocity{"velocity", 3, {}};
  for (const Vec3& x : mesh.vertices) {
    stiffness.values.push_back(x.y());
    colour.values.insert(colour.values.end(), {0.1, 1.0 / 3, x.z()});
    velocity.values.insert(velocity.values.end(), x.begin(), x.end());
  }
  mesh.fields = {stiffness, colour, velocity};
  return mesh;
}

/// The same, rounded to single precision where it does not fit.
inline MeshContents awkward_single_precision_surface() {
  MeshContents mesh = awkward_surface();
  const auto round = [](double value) {
    const float single = static_cast<float>(value);
    return std::isfinite(single) ? static_cast<double>(single) : 1.5;
  };
  for (Vec3& x : mesh.vertices)
    for (double& value : x) value = round(value);
  for (PointData& field : mesh.fields)
    for (double& value : field.values) value = round(value);
  return mesh;
}

inline std::vector<std::uint64_t> bits_of(const MeshContents& mesh) {
  std::vector<std::uint64_t> bits;
  for (const Vec3& x : mesh.vertices)
    for (const double value : x) bits.push_back(std::bit_cast<std::uint64_t>(value));
  for (const PointData& field : mesh.fields)
    for (const double value : field.values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

/// How often each edge is passed in its direction.
inline std::map<std::pair<int, int>, int> directed_edges(const std::vector<std::array<int, 3>>& triangles) {
  std::map<std::pair<int, int>, int> edges;
  for (const auto& t : triangles)
    for (size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  return edges;
}

/// Every edge is passed at most once each way.
inline bool is_oriented_manifold(const std::vector<std::array<int, 3>>& triangles) {
  for (const auto& [edge, count] : directed_edges(triangles))
    if (count != 1) return false;
  return true;
}

inline std::set<std::pair<int, int>> undirected_edges(const std::vector<std::array<int, 3>>& triangles) {
  std::set<std::pair<int, int>> edges;
  for (const auto& [edge, count] : directed_edges(triangles))
    edges.insert(std::minmax(edge.first, edge.second));
  return edges;
}

/// Vertices minus edges plus triangles: 1 for a disc, 0 for a ring, 2 for a sphere.
inline Index euler_characteristic(const TriangleMesh& mesh) {
  return static_cast<Index>(mesh.vertices.size()) -
         static_cast<Index>(undirected_edges(mesh.triangles).size()) +
         static_cast<Index>(mesh.triangles.size());
}

/// Edges with a triangle on one side only.
inline int boundary_edge_count(const std::vector<std::array<int, 3>>& triangles) {
  std::map<std::pair<int, int>, int> sides;
  for (const auto& [edge, count] : directed_edges(triangles))
    sides[std::minmax(edge.first, edge.second)] += count;
  int boundary = 0;
  for (const auto& [edge, count] : sides) boundary += count == 1;
  return boundary;
}

inline Vec3 area_vector(const std::vector<Vec3>& vertices, const std::array<int, 3>& t) {
  const Vec3 a = vertices[t[1]] - vertices[t[0]], b = vertices[t[2]] - vertices[t[0]];
  return a.cross(b) / 2;
}

inline double area(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& triangles) {
  double sum = 0;
  for (const auto& t : triangles) sum += area_vector(vertices, t).norm();
  return sum;
}

inline double smallest_angle_in_degrees(const TriangleMesh& mesh) {
  double smallest = 180;
  for (const auto& t : mesh.triangles) {
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 a = mesh.vertices[t[(k + 1) % 3]] - mesh.vertices[t[k]];
      const Vec3 b = mesh.vertices[t[(k + 2) % 3]] - mesh.vertices[t[k]];
      smallest = std::min(smallest, std::atan2(a.cross(b).norm(), a.dot(b)) * 180 / std::numbers::pi);
    }
  }
  return smallest;
}

/// Whether a complaint has all the pieces.
inline ::testing::AssertionResult says(const std::string& complaint, const std::vector<std::string>& pieces) {
  for (const std::string& piece : pieces)
    if (complaint.find(piece) == std::string::npos)
      return ::testing::AssertionFailure() << "'" << piece << "' is not in: '" << complaint << "'";
  return ::testing::AssertionSuccess();
}

}  // namespace pliant
