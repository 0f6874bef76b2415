#pragma once

#include "pliant/material/stretch_kernel.hpp"

namespace pliant {

/// Corotated: Psi = mu sum (sigma_i - 1)^2 + lambda/2 (sum (sigma_i - 1))^2, linear elasticity in the frame
/// of the rotation. Defined for every F; the volume is kept only to first order, so that strong pressure can
/// flatten an element.
struct Corotated {
  template <class T>
  PLIANT_KERNEL static T energy(const LameOf<T>& p, const Small3<T>& s) {
    const T a = s[0] - T(1.0), b = s[1] - T(1.0), c = s[2] - T(1.0);
    const T trace = a + b + c;
    return p.mu * (a * a + b * b + c * c) + T(0.5) * p.lambda * (trace * trace);
  }

  template <class T>
  PLIANT_KERNEL static StretchGradient<T> gradient(const LameOf<T>& p, const Small3<T>& s) {
    const T pressure = p.lambda * strain_trace(s);
    const T twice = T(2.0) * p.mu;
    return {twice * (s[0] - T(1.0)) + pressure, twice * (s[1] - T(1.0)) + pressure,
            twice * (s[2] - T(1.0)) + pressure};
  }

  template <class T>
  PLIANT_KERNEL static StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>& s) {
    const T twice = T(2.0) * p.mu, diagonal = twice + p.lambda;
    const T pull = T(2.0) * (twice - p.lambda * strain_trace(s));
    StretchHessian<T> h;
    h.A = {diagonal, p.lambda, p.lambda, diagonal, p.lambda, diagonal};
    for (int k = 0; k < 3; ++k) {
      h.symmetric[k] = twice;
      h.antisymmetric[k] = twice - pull / bounded_sum(s[(k + 1) % 3], s[(k + 2) % 3]);
    }
    return h;
  }

 private:
  template <class T>
  PLIANT_KERNEL static T strain_trace(const Small3<T>& s) {
    return (s[0] - T(1.0)) + (s[1] - T(1.0)) + (s[2] - T(1.0));
  }
};

}  // namespace pliant
