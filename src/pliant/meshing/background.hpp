#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pliant/base/parallel.hpp"
#include "pliant/spatial/shape.hpp"

namespace pliant {

/// Tetrahedra that fill the neighbourhood of a shape, to be cut at its surface: the body-centred cubic
/// lattice of the cells of an octree (Labelle and Shewchuk 2007, Isosurface stuffing). Vertices are the
/// corners and centres of cells; where two cells of one size share a face, four tetrahedra stand around the
/// line between their centres. Cells that share a face or an edge differ in size by at most a factor of two.
struct Background {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 4>> tets;  ///< of positive volume
  double finest = 0;                     ///< side of the smallest cells, m
};

/// How long the sides of cells may be at a point, in metres; should change slowly.
using SizeField = FunctionRef<double(const Vec3&)>;

/// All tetrahedra with a corner inside the shape, and some around them. Cells have the sides finest, 2
/// finest, 4 finest and so on, as long as `size` allows; `finest` is what it allows at least. Throws
/// InputError where these are too many.
Background make_background(const Shape& shape, double finest, SizeField size);

}  // namespace pliant
