#pragma once

#include "pliant/kernel/stretch.hpp"

namespace pliant {

/// Fixed corotated: Psi = mu sum (sigma_i - 1)^2 + lambda/2 (J - 1)^2, defined for every F (Stomakhin et al.
/// 2012).
struct FixedCorotated {
  template <class T>
  PLIANT_KERNEL static T energy(const LameOf<T>& p, const Small3<T>& s) {
    const T a = s[0] - T(1.0), b = s[1] - T(1.0), c = s[2] - T(1.0);
    const T j = s[0] * s[1] * s[2] - T(1.0);
    return p.mu * (a * a + b * b + c * c) + T(0.5) * p.lambda * (j * j);
  }

  template <class T>
  PLIANT_KERNEL static StretchGradient<T> gradient(const LameOf<T>& p, const Small3<T>& s) {
    const T pressure = p.lambda * (s[0] * s[1] * s[2] - T(1.0));
    const T twice = T(2.0) * p.mu;
    return {twice * (s[0] - T(1.0)) + pressure * (s[1] * s[2]),
            twice * (s[1] - T(1.0)) + pressure * (s[0] * s[2]),
            twice * (s[2] - T(1.0)) + pressure * (s[0] * s[1])};
  }

  template <class T>
  PLIANT_KERNEL static StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>& s) {
    const T J = s[0] * s[1] * s[2];
    const T pressure = p.lambda * (J - T(1.0));
    const T mixed = p.lambda * (T(2.0) * J - T(1.0));
    const T twice = T(2.0) * p.mu;
    const T yz = s[1] * s[2], xz = s[0] * s[2], xy = s[0] * s[1];
    StretchHessian<T> h;
    h.A = {twice + p.lambda * (yz * yz), mixed * s[2], mixed * s[1],
           twice + p.lambda * (xz * xz), mixed * s[0], twice + p.lambda * (xy * xy)};
    for (int k = 0; k < 3; ++k) {
      h.symmetric[k] = twice - pressure * s[k];
      h.antisymmetric[k] =
          twice - T(2.0) * twice / bounded_sum(s[(k + 1) % 3], s[(k + 2) % 3]) + pressure * s[k];
    }
    return h;
  }
};

}  // namespace pliant
