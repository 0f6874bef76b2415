#pragma once

// The one stiffness that stands for a material between two stretches (liu-2018, section 7.1).

#include "pliant/kernel/stretch.hpp"
#include "pliant/kernel/stretch_range.hpp"

namespace pliant {

/// Points and weights of Gauss and Legendre on [-1, 1]; the other half lies opposite.
inline constexpr double kGaussLegendre16[8][2] = {
    {0.0950125098376374402, 0.1894506104550684963}, {0.2816035507792589132, 0.1826034150449235889},
    {0.4580167776572273863, 0.1691565193950025382}, {0.6178762444026437484, 0.1495959888165767321},
    {0.7554044083550030339, 0.1246289712555338720}, {0.8656312023878317439, 0.0951585116824927848},
    {0.9445750230732325761, 0.0622535239386478929}, {0.9894009349916499326, 0.0271524594117540949},
};

/// The slope k of the line k (s - 1) that is closest to the stress f(s) = dPsi/ds_1 at (s, 1, 1) between two
/// stretches, in the mean square (Eq. 7.14), by quadrature.
template <class Material>
double fitted_stiffness(const Material& material, const LameOf<double>& moduli, const StretchRange& range) {
  const double middle = (range.first + range.last) / 2, half = (range.last - range.first) / 2;
  double product = 0, square = 0;
  for (int k = 0; k < 8; ++k)
    for (int side = -1; side <= 1; side += 2) {
      const double point = kGaussLegendre16[k][0], weight = kGaussLegendre16[k][1];
      const double s = middle + side * half * point;
      // Stretches are ordered.
      const Small3<double> stretches = s > 1 ? Small3<double>{s, 1, 1} : Small3<double>{1, 1, s};
      const double stress = material.gradient(moduli, stretches)[s > 1 ? 0 : 2];
      product += weight * (s - 1) * stress;
      square += weight * (s - 1) * (s - 1);
    }
  return product / square;
}

}  // namespace pliant
