#pragma once

#include "pliant/kernel/stretch.hpp"

namespace pliant {

/// As rigid as possible: Psi = mu sum (sigma_i - 1)^2, the squared distance of F to the nearest rotation.
/// Defined for every F. It does not resist a change of volume beyond that: corotated with lambda = 0.
struct AsRigidAsPossible {
  static constexpr bool kProjective = true;

  template <class T>
  PLIANT_KERNEL static T energy(const LameOf<T>& p, const Small3<T>& s) {
    const T a = s[0] - T(1.0), b = s[1] - T(1.0), c = s[2] - T(1.0);
    return p.mu * (a * a + b * b + c * c);
  }

  template <class T>
  PLIANT_KERNEL static StretchGradient<T> gradient(const LameOf<T>& p, const Small3<T>& s) {
    const T twice = T(2.0) * p.mu;
    return {twice * (s[0] - T(1.0)), twice * (s[1] - T(1.0)), twice * (s[2] - T(1.0))};
  }

  template <class T>
  PLIANT_KERNEL static StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>& s) {
    const T twice = T(2.0) * p.mu, zero(0.0);
    StretchHessian<T> h;
    h.A = {twice, zero, zero, twice, zero, twice};
    for (int k = 0; k < 3; ++k) {
      h.symmetric[k] = twice;
      h.antisymmetric[k] = twice - T(2.0) * twice / bounded_sum(s[(k + 1) % 3], s[(k + 2) % 3]);
    }
    return h;
  }
};

}  // namespace pliant
