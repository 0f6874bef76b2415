#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// The mesh of a body: tetrahedra or hexahedra, triangles if the body is planar, or edges if it is thin.
/// Corners 0, 1, 2, 3 of a tetrahedron are ordered so that (x1-x0) x (x2-x0) . (x3-x0) > 0.
///
/// Hexahedra are bricks: bit 0 of a corner's number says whether it is at the far end along the first of
/// their three directions, bit 1 along the second, bit 2 along the third. A body of them also has the
/// tetrahedra that they fall into, for its surface and its collisions; elements are the hexahedra.
///
/// The triangles of a planar body lie in a plane of constant z, counter-clockwise seen from above: the
/// cross-section of something `thickness` thick that neither moves nor stretches along z (plane strain).
///
/// A thin body is a sheet, whose edges are those of its triangles, or a strand, which has edges alone.
struct TetMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 4>> tets;
  std::vector<std::array<int, 3>> triangles = {};
  std::vector<std::array<int, 2>> edges = {};
  double thickness = 1;  ///< of a planar body or a sheet, m; of a strand its diameter
  std::vector<std::array<int, 8>> hexes = {};

  bool thin() const { return !edges.empty(); }
  bool planar() const { return !triangles.empty() && !thin(); }
  size_t element_count() const {
    return thin() ? edges.size() : planar() ? triangles.size() : hexes.empty() ? tets.size() : hexes.size();
  }
  /// The corners of an element.
  std::span<const int> element(size_t e) const {
    if (thin()) return edges[e];
    if (!hexes.empty()) return hexes[e];
    return planar() ? std::span<const int>(triangles[e]) : std::span<const int>(tets[e]);
  }
};

/// A mesh of triangles in space; normals by the right-hand rule point outward where it encloses a solid.
struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
};

/// The boundary of a tetrahedral mesh: triangles that belong to one tetrahedron only, outward; of a planar
/// body or a sheet all triangles, of a strand none. `vertex_of[i]` is the mesh vertex that surface vertex i
/// came from, so that deformed positions carry over. Triangles are ordered by element, then by face; vertices
/// by increasing mesh vertex.
struct Surface {
  TriangleMesh mesh;
  std::vector<int> vertex_of;
  std::vector<int> element_of;  ///< of each triangle
};

double signed_volume(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3);
/// The smallest over the eight quadrature points of a hexahedron of how many times larger than a unit cube it
/// is there; negative where it is turned inside out.
double smallest_volume(const std::array<Vec3, 8>& corners);
/// Seen along z.
double signed_area(const Vec3& x0, const Vec3& x1, const Vec3& x2);

/// The mesh must name only vertices that exist (see find_defects).
Surface extract_surface(const TetMesh& mesh);

/// Each element's mass shared equally among its corners (lumped).
std::vector<double> lumped_masses(const TetMesh& mesh, double density);

/// An entry of a consistent mass matrix, of two different vertices.
struct MassPair {
  int a = 0, b = 0;
  double mass = 0;
};
/// Of the pairs of corners of each solid element, one element after the other. The diagonal of the consistent
/// matrix is the lumped mass less these.
std::vector<MassPair> mass_pairs(const TetMesh& mesh, double density);

/// Leaves out vertices that belong to no element; the others keep their order. Returns the new number of each
/// vertex, -1 for those left out.
std::vector<int> drop_unused_vertices(TetMesh& mesh);

/// What makes a mesh unfit as a rest shape, as full sentences that count and name the culprits: index out of
/// range, non-finite coordinate, zero-volume or inverted element, vertex in no element, no element at all, a
/// planar body out of its plane. Empty when it is fit.
std::vector<std::string> find_defects(const TetMesh& mesh);

}  // namespace pliant
