#pragma once

#include <memory>
#include <span>

#include "pliant/material/spline.hpp"

namespace pliant {

/// Lamé parameters, Pa, and what single models take beside them.
struct Lame {
  double mu = 0;
  double lambda = 0;
  double c01_share = 0.2;                    ///< of Mooney-Rivlin: c01 / (c10 + c01)
  double stretch_low = 1, stretch_high = 1;  ///< of a strain limit
  std::shared_ptr<const SplineTable> splines = nullptr;
  std::span<const double> of_element =
      {};  ///< what all moduli are multiplied by in each; 1 where it is empty
};

/// From Young's modulus (Pa) and Poisson's ratio.
inline Lame lame(double young, double poisson) {
  return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}

}  // namespace pliant
