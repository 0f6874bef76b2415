#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// Numbers at the vertices of a mesh, one (a scalar) or three (a vector) each, vertex after vertex.
struct PointData {
  std::string name;
  int components = 1;
  std::vector<double> values;

  bool operator==(const PointData&) const = default;
};

/// What a mesh file holds, as it stands there: nothing is merged, turned or left out that a format can say.
/// Corners name vertices that exist, coordinates and values are finite; all else (orientation, degenerate
/// elements, unused vertices) is for others to judge. A file of tetrahedra may also hold triangles, those of
/// its surface.
struct MeshContents {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 4>> tets;
  std::vector<std::array<int, 3>> triangles;
  std::vector<PointData> fields;
  std::vector<std::array<int, 2>> edges = {};  ///< of strands; only .vtu files hold them

  bool operator==(const MeshContents&) const = default;
};

/// What some vertices have of the fields, in their order.
std::vector<PointData> fields_at(std::span<const int> vertices, const std::vector<PointData>& fields);

/// Throws InputError where a field does not have 1 or 3 values a vertex; writers call it first.
void check_fields(const MeshContents& mesh);

}  // namespace pliant
