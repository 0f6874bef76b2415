#pragma once

#include <cmath>
#include <numbers>

#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

/// A ball of triangles between `rings` circles of latitude.
inline TriangleMesh make_sphere(double radius, const Vec3& center, int rings) {
  TriangleMesh mesh;
  const int around = 2 * rings;
  for (int i = 1; i < rings; ++i) {
    for (int j = 0; j < around; ++j) {
      const double latitude = std::numbers::pi * i / rings;
      const double longitude = 2 * std::numbers::pi * j / around;
      mesh.vertices.push_back(center + radius * Vec3(std::sin(latitude) * std::sin(longitude),
                                                     std::cos(latitude),
                                                     std::sin(latitude) * std::cos(longitude)));
    }
  }
  const int top = static_cast<int>(mesh.vertices.size());
  mesh.vertices.push_back(center + radius * Vec3::UnitY());
  mesh.vertices.push_back(center - radius * Vec3::UnitY());
  const auto at = [&](int i, int j) { return i * around + j % around; };
  for (int j = 0; j < around; ++j) {
    mesh.triangles.push_back({top, at(0, j), at(0, j + 1)});
    mesh.triangles.push_back({top + 1, at(rings - 2, j + 1), at(rings - 2, j)});
    for (int i = 0; i + 2 < rings; ++i) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

/// The twelve triangles of the unit cube.
inline Surface make_cube_surface() {
  Surface cube;
  for (int i = 0; i < 8; ++i) {
    cube.mesh.vertices.emplace_back(i & 1, i >> 1 & 1, i >> 2 & 1);
    cube.vertex_of.push_back(10 + i);
  }
  cube.mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                         {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return cube;
}

}  // namespace pliant
