#pragma once

#include <array>
#include <string>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// A mesh of tetrahedra. Corners 0, 1, 2, 3 are ordered so that (x1-x0) x (x2-x0) . (x3-x0) > 0.
struct TetMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 4>> tets;
};

/// A mesh of triangles in space; normals by the right-hand rule point outward where it encloses a solid.
struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
};

/// The boundary of a tetrahedral mesh: triangles that belong to one tetrahedron only, outward. `vertex_of[i]`
/// is the mesh vertex that surface vertex i came from, so that deformed positions carry over. Triangles are
/// ordered by element, then by face; vertices by increasing mesh vertex.
struct Surface {
  TriangleMesh mesh;
  std::vector<int> vertex_of;
};

double signed_volume(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3);

/// The mesh must name only vertices that exist (see find_defects).
Surface extract_surface(const TetMesh& mesh);

/// Each tetrahedron's mass shared equally among its corners (lumped).
std::vector<double> lumped_masses(const TetMesh& mesh, double density);

/// What makes a mesh unfit as a rest shape, as full sentences that count and name the culprits: index out of
/// range, non-finite coordinate, zero-volume or inverted element, vertex in no element, no element at all.
/// Empty when it is fit.
std::vector<std::string> find_defects(const TetMesh& mesh);

}  // namespace pliant
