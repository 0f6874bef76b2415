#pragma once

#include <span>
#include <string>
#include <vector>

#include "pliant/mesh/mesh_contents.hpp"
#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/spatial/shape.hpp"

namespace pliant {

/// An opening of a surface: a group of boundary edges that hang together.
struct Hole {
  Index edges = 0;
  Vec3 centre = Vec3::Zero();
  double extent = 0;  ///< diagonal of its bounding box, m
};

/// What matters of a surface that is to be filled.
struct SurfaceReport {
  Index vertices = 0, triangles = 0;
  Index boundary_edges = 0;  ///< of one triangle only
  Index crowded_edges = 0;   ///< of more than two
  Index components = 0;
  double area = 0, volume = 0;  ///< volume as if it were closed; negative where normals point inward
  Vec3 size = Vec3::Zero();
  std::vector<Hole> holes;  ///< the largest first
};

SurfaceReport examine(const TriangleMesh& mesh);

/// Vertices at the very same place become one; triangles that lose a corner that way are left out.
TriangleMesh weld(const TriangleMesh& mesh);

/// What a closed surface encloses: the exact distance to its triangles, with a sign from the winding number,
/// so that small holes, overlaps and triangles turned the wrong way do not matter. Throws InputError where
/// the surface is open, saying how many boundary edges there are and where, or encloses nothing; `name`
/// stands for it in the message, `otherwise` is what else than closing it would help.
ShapePointer make_surface_shape(const TriangleMesh& mesh, const std::string& name,
                                const std::string& otherwise = "");

/// What is painted on a surface, at points near it: that of the nearest point of the surface.
std::vector<PointData> carry_over(const TriangleMesh& surface, const std::vector<PointData>& fields,
                                  std::span<const Vec3> points);

}  // namespace pliant
