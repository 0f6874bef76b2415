#pragma once

#include "pliant/spatial/shape.hpp"

namespace pliant {

/// How a distance is made from its samples: `linear` is continuous, with kinks between cells (gast-2014,
/// section 5.2); `cubic` has a continuous gradient as well (Catmull and Rom 1974, in each direction).
enum class GridInterpolation { linear, cubic };

/// A shape by samples of its signed distance on a grid of this cell size, which is as fast for a surface of a
/// million triangles as for a ball. Derivatives are those of the interpolation itself. It differs from what
/// was sampled by about the square of the cell size times the curvature, and rounds edges off. Outside of the
/// grid, which ends a few cells from the shape, the distance is that at the nearest point of the grid and the
/// way to there: continuous and positive.
///
/// Throws InputError where the shape has no finite bounds, the cell is not positive or the grid too large.
ShapePointer make_grid_shape(const Shape& sampled, double cell, GridInterpolation interpolation);

}  // namespace pliant
