#pragma once

#include "pliant/kernel/strain_limit.hpp"
#include "pliant/material/spline.hpp"
#include "pliant/potential/solid.hpp"

namespace pliant::testing {

inline Lame sample_moduli(double young = 1e3) { return lame(young, 0.3); }

/// What the material takes beside its moduli, such that there is something to test. The functions of splines
/// are quadratic, without stress at rest: a' + 2 b' + c' = 0 there. Strain limits leave some room around
/// rest.
inline Parameters sample_parameters(std::string_view material, double young = 1e3) {
  if (material == "strain-limited") return StrainLimit{.low = 0.9, .high = 1.15};
  if (material != "spline") return {};
  const auto line = [](double slope, double zero) {
    return std::vector{0.5, slope * (0.5 - zero), 1.5, slope * (1.5 - zero)};
  };
  return SplineParameters{
      SplinePoints{line(0.7 * young, 0.9), line(0.2 * young, 1.2), line(0.5 * young, 0.98)}};
}

/// Of any material.
inline std::unique_ptr<Potential> make_sample(std::string_view material, const TetMesh& rest,
                                              double young = 1e3) {
  return make_solid(material, rest, 0, sample_moduli(young), sample_parameters(material, young));
}

}  // namespace pliant::testing
