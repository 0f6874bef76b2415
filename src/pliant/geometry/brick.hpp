#pragma once

#include <array>

namespace pliant {

/// Derivatives of the trilinear shape function of corner c at quadrature point q by the three coordinates of
/// the unit cube, [q][c][axis]. Points lie (1 -+ 1/sqrt(3)) / 2 along each axis, numbered by bits as corners
/// are.
using BrickSlopes = std::array<std::array<std::array<double, 3>, 8>, 8>;

constexpr BrickSlopes brick_slopes() {
  constexpr double kFar = 0.78867513459481288225;  // (1 + 1/sqrt(3)) / 2
  BrickSlopes slopes{};
  for (unsigned q = 0; q < 8; ++q)
    for (unsigned c = 0; c < 8; ++c)
      for (unsigned axis = 0; axis < 3; ++axis) {
        double slope = c >> axis & 1 ? 1 : -1;
        for (unsigned other = 0; other < 3; ++other) {
          if (other == axis) continue;
          const bool same = (q >> other & 1) == (c >> other & 1);
          slope *= same ? kFar : 1 - kFar;
        }
        slopes[q][c][axis] = slope;
      }
  return slopes;
}
inline constexpr BrickSlopes kBrickSlopes = brick_slopes();

}  // namespace pliant
