#pragma once

#include "pliant/meshing/stuffing.hpp"
#include "pliant/spatial/shape.hpp"

namespace pliant {

/// Puts vertices onto the sharp edges and corners of a shape, so that no triangle of the surface cuts across
/// one: where the ends of an edge of the surface lie on faces that meet at an angle, the end closer to the
/// edge of the shape goes there. Tetrahedra that this makes flat are left out, and vertices around the others
/// move to where they are better shaped.
void sharpen(const Shape& shape, double cell, Stuffing& stuffing);

}  // namespace pliant
