#pragma once

#include <array>
#include <cstddef>

namespace pliant {

/// Derivatives of the trilinear shape function of corner c at quadrature point q by the three coordinates of
/// the unit cube, [q][c][axis]. Points lie (1 -+ 1/sqrt(3)) / 2 along each axis, numbered by bits as corners
/// are.
using BrickSlopes = std::array<std::array<std::array<double, 3>, 8>, 8>;

inline constexpr double kBrickNear = 0.78867513459481288225;  // (1 + 1/sqrt(3)) / 2

constexpr BrickSlopes brick_slopes() {
  BrickSlopes slopes{};
  for (unsigned q = 0; q < 8; ++q)
    for (unsigned c = 0; c < 8; ++c)
      for (unsigned axis = 0; axis < 3; ++axis) {
        double slope = c >> axis & 1 ? 1 : -1;
        for (unsigned other = 0; other < 3; ++other) {
          if (other == axis) continue;
          const bool same = (q >> other & 1) == (c >> other & 1);
          slope *= same ? kBrickNear : 1 - kBrickNear;
        }
        slopes[q][c][axis] = slope;
      }
  return slopes;
}
inline constexpr BrickSlopes kBrickSlopes = brick_slopes();

/// What the points need of vectors V at the corners, with numbers T. Derivatives by an axis are the same at
/// the two points along it: twelve vectors in all, [axis][bits of the point without that of the axis].
template <class V>
using BrickEdges = std::array<std::array<V, 4>, 3>;

constexpr size_t brick_edge(size_t point, size_t axis) {
  const size_t below = point & ((size_t{1} << axis) - 1);
  return below | (point >> (axis + 1)) << axis;
}
constexpr size_t brick_corner(size_t edge, size_t axis, size_t end) {
  const size_t below = edge & ((size_t{1} << axis) - 1);
  return below | end << axis | (edge >> axis) << (axis + 1);
}

/// To the points between two, or back: the matrix is symmetric.
template <class T, class V>
constexpr void brick_between(V& a, V& b) {
  const V first = a;
  a = T(kBrickNear) * first + T(1 - kBrickNear) * b;
  b = T(1 - kBrickNear) * first + T(kBrickNear) * b;
}
template <class T, class V>
constexpr void brick_between(std::array<V, 4>& edges) {
  brick_between<T>(edges[0], edges[1]);
  brick_between<T>(edges[2], edges[3]);
  brick_between<T>(edges[0], edges[2]);
  brick_between<T>(edges[1], edges[3]);
}

/// Sums over corners of slopes times vectors, at all points.
template <class T, class V>
constexpr BrickEdges<V> brick_edges(const V* corners) {
  BrickEdges<V> edges;
  for (size_t axis = 0; axis < 3; ++axis) {
    for (size_t e = 0; e < 4; ++e)
      edges[axis][e] = corners[brick_corner(e, axis, 1)] - corners[brick_corner(e, axis, 0)];
    brick_between<T>(edges[axis]);
  }
  return edges;
}

/// The transpose of that, added to the corners.
template <class T, class V>
constexpr void add_brick_edges(BrickEdges<V> edges, V* corners) {
  for (size_t axis = 0; axis < 3; ++axis) {
    brick_between<T>(edges[axis]);
    for (size_t e = 0; e < 4; ++e) {
      V &to = corners[brick_corner(e, axis, 1)], &from = corners[brick_corner(e, axis, 0)];
      to = to + edges[axis][e];
      from = from - edges[axis][e];
    }
  }
}

}  // namespace pliant
