#pragma once

#include "pliant/material/lame.hpp"

namespace pliant::testing {

/// Moduli that any material can be made with; the functions of splines are quadratic then, without stress at
/// rest: a' + 2 b' + c' = 0 there. Strain limits leave some room around rest.
inline Lame sample_moduli(double young = 1e3) {
  Lame moduli = lame(young, 0.3);
  moduli.stretch_low = 0.9;
  moduli.stretch_high = 1.15;
  const auto line = [](double slope, double zero) {
    const std::array<double, 2> points[] = {{0.5, slope * (0.5 - zero)}, {1.5, slope * (1.5 - zero)}};
    return Spline(points);
  };
  moduli.splines = std::make_shared<SplineTable>(
      SplineTable{line(0.7 * young, 0.9), line(0.2 * young, 1.2), line(0.5 * young, 0.98)});
  return moduli;
}

}  // namespace pliant::testing
