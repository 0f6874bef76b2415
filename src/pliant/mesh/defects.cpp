// What makes a mesh unfit as a rest shape. Volumes are judged on edges scaled by the longest one of the
// element, so that the verdict depends on its shape only, and huge or tiny coordinates neither overflow nor
// vanish.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <span>

#include "pliant/base/text.hpp"
#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

namespace {

constexpr double kFlat = 1e-12;  // smallest |6V| / longest_edge^3, or |2A| / longest_edge^2
constexpr size_t kNamed = 5;     // culprits named in a sentence

struct Culprits {
  std::vector<Index> elements_out_of_range, elements_flat, elements_inverted;
  std::vector<Index> vertices_not_finite, vertices_unused;
};

/// 6V / longest_edge^3, of a triangle 2A / longest_edge^2, of an edge 1; NaN for an element whose corners
/// coincide or lie too far apart for a double.
double scaled_volume(const TetMesh& mesh, std::span<const int> corners) {
  double longest = 0;
  for (size_t i = 0; i < corners.size(); ++i) {
    for (size_t j = i + 1; j < corners.size(); ++j) {
      const Vec3 edge = mesh.vertices[corners[j]] - mesh.vertices[corners[i]];
      longest = std::max(longest, std::hypot(edge.x(), edge.y(), edge.z()));
    }
  }
  if (corners.size() == 2) return longest / longest;
  const auto scaled = [&](int corner) -> Vec3 {
    return (mesh.vertices[corners[corner]] - mesh.vertices[corners[0]]) / longest;
  };
  if (corners.size() == 3) return scaled(1).cross(scaled(2)).z();
  return scaled(1).cross(scaled(2)).dot(scaled(corners.size() == 4 ? 3 : 4));
}

/// Whether a planar body lies in a plane of constant z.
bool is_level(const TetMesh& mesh) {
  Eigen::AlignedBox3d bounds;
  for (const Vec3& vertex : mesh.vertices) bounds.extend(vertex);
  return bounds.sizes().z() <= kFlat * bounds.diagonal().norm();
}

Culprits find_culprits(const TetMesh& mesh) {
  Culprits found;
  const Index vertex_count = static_cast<Index>(mesh.vertices.size());
  for (Index v = 0; v < vertex_count; ++v) {
    if (!mesh.vertices[v].allFinite()) found.vertices_not_finite.push_back(v);
  }
  std::vector<bool> used(mesh.vertices.size(), false);
  for (Index t = 0; t < static_cast<Index>(mesh.element_count()); ++t) {
    const std::span<const int> corners = mesh.element(t);
    const auto inside = [&](int v) { return v >= 0 && v < vertex_count; };
    for (const int v : corners) {
      if (inside(v)) used[v] = true;
    }
    if (!std::all_of(corners.begin(), corners.end(), inside)) {
      found.elements_out_of_range.push_back(t);
      continue;
    }
    if (!std::all_of(corners.begin(), corners.end(), [&](int v) { return mesh.vertices[v].allFinite(); }))
      continue;
    const double volume = scaled_volume(mesh, corners);
    if (!(std::abs(volume) >= kFlat)) {
      found.elements_flat.push_back(t);
    } else if (volume < 0) {
      found.elements_inverted.push_back(t);
    }
  }
  for (Index v = 0; v < vertex_count; ++v) {
    if (!used[v]) found.vertices_unused.push_back(v);
  }
  return found;
}

/// "1 element is inverted: 4" or "7 elements are inverted: 4, 5, 6, 7, 8 and 2 more".
std::string sentence(const std::vector<Index>& culprits, std::string_view one, std::string_view many) {
  std::string text = format("{} {}: ", culprits.size(), culprits.size() == 1 ? one : many);
  const size_t named = std::min(culprits.size(), kNamed);
  for (size_t i = 0; i < named; ++i) text += format("{}{}", i == 0 ? "" : ", ", culprits[i]);
  if (culprits.size() > named) text += format(" and {} more", culprits.size() - named);
  return text;
}

}  // namespace

std::vector<std::string> find_defects(const TetMesh& mesh) {
  std::vector<std::string> defects;
  if (mesh.element_count() == 0) return {"The mesh has no elements."};
  if (mesh.planar() && !is_level(mesh))
    return {"A planar body must lie in a plane of constant z; turn it about the z axis only."};
  const auto report = [&](const std::vector<Index>& culprits, std::string_view one, std::string_view many,
                          const std::string& advice) {
    if (!culprits.empty()) defects.push_back(sentence(culprits, one, many) + advice);
  };
  const Culprits found = find_culprits(mesh);
  report(found.elements_out_of_range, "element names a vertex that does not exist",
         "elements name a vertex that does not exist",
         format("; the mesh has {} vertices, counted from 0.", mesh.vertices.size()));
  report(found.vertices_not_finite, "vertex has a coordinate that is not finite",
         "vertices have a coordinate that is not finite", "; every coordinate must be a number.");
  report(found.elements_flat, "element has zero volume", "elements have zero volume",
         " (counted from 0); remove them or move their corners apart.");
  report(found.elements_inverted, "inverted element", "inverted elements",
         " (counted from 0); swap two corners of each.");
  report(found.vertices_unused, "vertex is in no element", "vertices are in no element",
         " (counted from 0); remove them, or mesh the volume they belong to.");
  return defects;
}

}  // namespace pliant
