#pragma once

#include "pliant/kernel/stretch.hpp"

namespace pliant {

/// Psi = mu sum (sigma_i - 1)^4 (liu-2018, section 7.1): hardly any resistance near rest, much beyond. Its
/// second derivative vanishes at rest. Defined for every F.
struct Polynomial {
  template <class T>
  PLIANT_KERNEL static T energy(const LameOf<T>& p, const Small3<T>& s) {
    T sum(0.0);
    for (int i = 0; i < 3; ++i) {
      const T e = s[i] - T(1.0), square = e * e;
      sum = sum + square * square;
    }
    return p.mu * sum;
  }

  template <class T>
  PLIANT_KERNEL static StretchGradient<T> gradient(const LameOf<T>& p, const Small3<T>& s) {
    StretchGradient<T> g;
    for (int i = 0; i < 3; ++i) {
      const T e = s[i] - T(1.0);
      g[i] = T(4.0) * p.mu * (e * (e * e));
    }
    return g;
  }

  template <class T>
  PLIANT_KERNEL static StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>& s) {
    const T four = T(4.0) * p.mu;
    const Small3<T> e = {s[0] - T(1.0), s[1] - T(1.0), s[2] - T(1.0)};
    const auto diagonal = [&](int i) { return T(3.0) * four * (e[i] * e[i]); };
    StretchHessian<T> h;
    h.A = {diagonal(0), T(0.0), T(0.0), diagonal(1), T(0.0), diagonal(2)};
    for (int k = 0; k < 3; ++k) {
      const T &a = e[(k + 1) % 3], &b = e[(k + 2) % 3];
      h.symmetric[k] = four * (a * a + a * b + b * b);
      // a^3 + b^3 = (a + b)(a^2 - ab + b^2)
      h.antisymmetric[k] =
          four * (a + b) * (a * a - a * b + b * b) / bounded_sum(s[(k + 1) % 3], s[(k + 2) % 3]);
    }
    return h;
  }
};

}  // namespace pliant
