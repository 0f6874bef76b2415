#pragma once

#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/spatial/shape.hpp"

namespace pliant {

/// The surface of a shape inside a box, by dual contouring (Ju, Losasso, Schaefer and Warren 2002): a vertex
/// in every cell that the surface passes, where it fits the tangents at the sides of the cell best, so that
/// sharp edges stay sharp. Cells have the sides of `cell`; walls thinner than one may get holes. Triangles
/// face outward; the surface is open where the box cuts it off. To be looked at: it is no mesh to compute
/// with. Throws InputError where cells are too many.
TriangleMesh contour(const Shape& shape, const Bounds& box, const Vec3& cell);

}  // namespace pliant
