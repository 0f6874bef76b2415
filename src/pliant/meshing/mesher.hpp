#pragma once

#include <vector>

#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/spatial/shape.hpp"

namespace pliant {

/// A ball in which cells are smaller.
struct Refinement {
  Vec3 center = Vec3::Zero();
  double radius = 0;
  double cell = 0;
};

/// How fine a mesh is. Edges are 0.87 to 1 times as long as the side of a cell.
struct MeshingOptions {
  double cell = 0.1;   ///< side of the cells at the surface, m
  double grading = 0;  ///< growth of the side for every metre below the surface; 0 makes all cells equal
  bool sharp = false;  ///< put vertices onto sharp edges and corners of the shape
  std::vector<Refinement> refinements = {};
};

/// Tetrahedra that fill a shape, by isosurface stuffing (Labelle and Shewchuk 2007): a lattice whose vertices
/// near the surface are moved onto it, and whose tetrahedra are cut at it elsewhere. For smooth shapes with
/// cells much smaller than their curvature and all of one size no dihedral angle is below 10.7 or above 164.8
/// degrees. The same for any number of threads. Throws InputError where cells are too many, or too large to
/// see the shape at all.
TetMesh mesh_shape(const Shape& shape, const MeshingOptions& options);

}  // namespace pliant
