#pragma once

#include "pliant/material/stretch_kernel.hpp"

namespace pliant {

/// Stable Neo-Hookean (Smith et al. 2018): Psi = mu'/2 (I_C - 3) + lambda'/2 (J - alpha)^2 - mu'/2 log(I_C +
/// 1), less its value at rest, with mu' = 4/3 mu, lambda' = lambda + 5/6 mu and alpha = 1 + 3/4 mu'/lambda',
/// so that small strains see mu and lambda. Defined for every F, inverted and collapsed ones included.
struct StableNeoHookean {
  template <class T>
  static T energy(const LameOf<T>& p, const Small3<T>& s) {
    const Constants<T> c(p);
    const T squares = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    const T J = s[0] * s[1] * s[2];
    // (J - alpha)^2 - (1 - alpha)^2 and log((I_C + 1)/4), so that nothing large cancels near rest.
    const T volume = (J - T(1.0)) * (J + T(1.0) - T(2.0) * c.alpha);
    return T(0.5) * c.mu * (squares - T(3.0)) + T(0.5) * c.lambda * volume -
           T(0.5) * c.mu * logarithm(T(0.25) * (squares + T(1.0)));
  }

  template <class T>
  static StretchGradient<T> gradient(const LameOf<T>& p, const Small3<T>& s) {
    const Constants<T> c(p);
    const T shear = c.shear(s), pressure = c.pressure(s);
    return {shear * s[0] + pressure * (s[1] * s[2]), shear * s[1] + pressure * (s[0] * s[2]),
            shear * s[2] + pressure * (s[0] * s[1])};
  }

  template <class T>
  static StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>& s) {
    const Constants<T> c(p);
    const T shear = c.shear(s), pressure = c.pressure(s);
    const T inverse = T(1.0) / (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + T(1.0));
    const T bend = T(2.0) * c.mu * (inverse * inverse);
    const T J = s[0] * s[1] * s[2];
    const auto diagonal = [&](int i) {
      const T area = s[(i + 1) % 3] * s[(i + 2) % 3];
      return shear + bend * (s[i] * s[i]) + c.lambda * (area * area);
    };
    const auto mixed = [&](int i, int j, int k) {
      return bend * (s[i] * s[j]) + (c.lambda * J + pressure) * s[k];
    };
    StretchHessian<T> h;
    h.A = {diagonal(0), mixed(0, 1, 2), mixed(0, 2, 1), diagonal(1), mixed(1, 2, 0), diagonal(2)};
    for (int k = 0; k < 3; ++k) {
      h.symmetric[k] = shear - pressure * s[k];
      h.antisymmetric[k] = shear + pressure * s[k];
    }
    return h;
  }

 private:
  template <class T>
  struct Constants {
    T mu, lambda, alpha;
    explicit Constants(const LameOf<T>& p)
        : mu(T(4.0 / 3.0) * p.mu),
          lambda(p.lambda + T(5.0 / 6.0) * p.mu),
          alpha(T(1.0) + T(0.75) * mu / lambda) {}

    /// mu' (1 - 1/(I_C + 1)), which multiplies sigma_i in the stress.
    T shear(const Small3<T>& s) const {
      const T squares = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
      return mu * (squares / (squares + T(1.0)));
    }
    /// lambda' (J - alpha), which multiplies the product of the other two stretches.
    T pressure(const Small3<T>& s) const { return lambda * (s[0] * s[1] * s[2] - alpha); }
  };
};

}  // namespace pliant
