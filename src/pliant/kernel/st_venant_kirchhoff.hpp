#pragma once

#include "pliant/kernel/stretch.hpp"

namespace pliant {

/// St. Venant-Kirchhoff: Psi = mu/4 sum (sigma_i^2 - 1)^2 + lambda/8 (sum (sigma_i^2 - 1))^2. Defined for
/// every F, but weak against compression: it has a maximum on the way to a flat element.
struct StVenantKirchhoff {
  template <class T>
  PLIANT_KERNEL static T energy(const LameOf<T>& p, const Small3<T>& s) {
    const T a = s[0] * s[0] - T(1.0), b = s[1] * s[1] - T(1.0), c = s[2] * s[2] - T(1.0);
    const T sum = a + b + c;
    return T(0.25) * p.mu * (a * a + b * b + c * c) + T(0.125) * p.lambda * (sum * sum);
  }

  template <class T>
  PLIANT_KERNEL static StretchGradient<T> gradient(const LameOf<T>& p, const Small3<T>& s) {
    const T half = T(0.5) * p.lambda * strain_sum(s);
    StretchGradient<T> g;
    for (int i = 0; i < 3; ++i) g[i] = s[i] * (p.mu * (s[i] * s[i] - T(1.0)) + half);
    return g;
  }

  template <class T>
  PLIANT_KERNEL static StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>& s) {
    const T half = T(0.5) * p.lambda * strain_sum(s);
    const auto diagonal = [&](int i) {
      return p.mu * (T(3.0) * (s[i] * s[i]) - T(1.0)) + half + p.lambda * (s[i] * s[i]);
    };
    StretchHessian<T> h;
    h.A = {diagonal(0), p.lambda * (s[0] * s[1]), p.lambda * (s[0] * s[2]),
           diagonal(1), p.lambda * (s[1] * s[2]), diagonal(2)};
    for (int k = 0; k < 3; ++k) {
      const T a = s[(k + 1) % 3], b = s[(k + 2) % 3];
      const T squares = a * a + b * b - T(1.0);
      h.symmetric[k] = p.mu * (squares + a * b) + half;
      h.antisymmetric[k] = p.mu * (squares - a * b) + half;
    }
    return h;
  }

 private:
  template <class T>
  PLIANT_KERNEL static T strain_sum(const Small3<T>& s) {
    return s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - T(3.0);
  }
};

}  // namespace pliant
