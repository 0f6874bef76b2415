// The boundary of a tetrahedral mesh: faces are sorted by their vertex ids, and those that occur once are
// kept.

#include <algorithm>
#include <numeric>

#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

namespace {

// Corners of the face opposite corner i, outward for a positively oriented element.
constexpr std::array<std::array<int, 3>, 4> kFaces{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

struct Face {
  std::array<int, 3> key;  // vertices in increasing order
  Index place;             // 4 * element + face
};

std::array<int, 3> corners(const TetMesh& mesh, Index place) {
  const auto& tet = mesh.tets[place / 4];
  const auto& face = kFaces[place % 4];
  return {tet[face[0]], tet[face[1]], tet[face[2]]};
}

std::vector<Index> boundary_places(const TetMesh& mesh) {
  std::vector<Face> faces(4 * mesh.tets.size());
  for (Index place = 0; place < static_cast<Index>(faces.size()); ++place) {
    std::array<int, 3> key = corners(mesh, place);
    std::sort(key.begin(), key.end());
    faces[place] = {key, place};
  }
  std::sort(faces.begin(), faces.end(),
            [](const Face& a, const Face& b) { return a.key != b.key ? a.key < b.key : a.place < b.place; });
  std::vector<Index> places;
  for (size_t first = 0; first < faces.size();) {
    size_t last = first + 1;
    while (last < faces.size() && faces[last].key == faces[first].key) ++last;
    if (last == first + 1) places.push_back(faces[first].place);
    first = last;
  }
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace

Surface extract_surface(const TetMesh& mesh) {
  Surface surface;
  std::vector<int> surface_vertex(mesh.vertices.size(), -1);
  for (const Index place : boundary_places(mesh)) {
    surface.mesh.triangles.push_back(corners(mesh, place));
    surface.element_of.push_back(static_cast<int>(place / 4));
  }
  if (!mesh.triangles.empty()) {
    surface.mesh.triangles = mesh.triangles;
    surface.element_of.resize(mesh.triangles.size());
    std::iota(surface.element_of.begin(), surface.element_of.end(), 0);
  }
  for (const auto& triangle : surface.mesh.triangles)
    for (const int v : triangle) surface_vertex[v] = 0;
  for (size_t v = 0; v < surface_vertex.size(); ++v) {
    if (surface_vertex[v] < 0) continue;
    surface_vertex[v] = static_cast<int>(surface.vertex_of.size());
    surface.vertex_of.push_back(static_cast<int>(v));
    surface.mesh.vertices.push_back(mesh.vertices[v]);
  }
  for (auto& triangle : surface.mesh.triangles) {
    for (int& v : triangle) v = surface_vertex[v];
  }
  return surface;
}

}  // namespace pliant
