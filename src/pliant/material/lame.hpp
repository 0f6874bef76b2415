#pragma once

namespace pliant {

/// Lamé parameters, Pa.
struct Lame {
  double mu = 0;
  double lambda = 0;
};

/// From Young's modulus (Pa) and Poisson's ratio.
inline Lame lame(double young, double poisson) {
  return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}

}  // namespace pliant
