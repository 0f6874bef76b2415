#pragma once

#include <limits>

#include "pliant/material/stretch_kernel.hpp"

namespace pliant {

/// Neo-Hookean: Psi = mu/2 (I_C - 3) - mu log J + lambda/2 log^2 J, and +infinity where J <= 0: an element
/// never turns inside out, and a line search backs off from one that would. Derivatives there are not asked
/// for; they are finite all the same.
struct NeoHookean {
  template <class T>
  static T energy(const LameOf<T>& p, const Small3<T>& s) {
    const T J = s[0] * s[1] * s[2];
    const auto valid = J > T(0.0);
    const T logJ = logarithm(select(valid, J, T(1.0)));
    const T squares = s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - T(3.0);
    const T psi = T(0.5) * p.mu * squares - p.mu * logJ + T(0.5) * p.lambda * (logJ * logJ);
    return select(valid, psi, T(std::numeric_limits<double>::infinity()));
  }

  template <class T>
  static StretchGradient<T> gradient(const LameOf<T>& p, const Small3<T>& s) {
    const T q = log_stress(p, s);
    StretchGradient<T> g;
    for (int i = 0; i < 3; ++i) g[i] = p.mu * s[i] + q / away_from_zero(s[i]);
    return g;
  }

  template <class T>
  static StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>& s) {
    const T q = log_stress(p, s);
    const Small3<T> inverse{T(1.0) / away_from_zero(s[0]), T(1.0) / away_from_zero(s[1]),
                            T(1.0) / away_from_zero(s[2])};
    const auto diagonal = [&](int i) { return p.mu + (p.lambda - q) * (inverse[i] * inverse[i]); };
    const auto mixed = [&](int i, int j) { return p.lambda * (inverse[i] * inverse[j]); };
    StretchHessian<T> h;
    h.A = {diagonal(0), mixed(0, 1), mixed(0, 2), diagonal(1), mixed(1, 2), diagonal(2)};
    for (int k = 0; k < 3; ++k) {
      const T product = q * (inverse[(k + 1) % 3] * inverse[(k + 2) % 3]);
      h.symmetric[k] = p.mu - product;
      h.antisymmetric[k] = p.mu + product;
    }
    return h;
  }

 private:
  /// lambda log J - mu, the part of the stress that multiplies 1/sigma_i.
  template <class T>
  static T log_stress(const LameOf<T>& p, const Small3<T>& s) {
    const T J = s[0] * s[1] * s[2];
    return p.lambda * logarithm(select(J > T(0.0), J, T(1.0))) - p.mu;
  }

  template <class T>
  static T away_from_zero(const T& s) {
    return select(absolute(s) > T(1e-100), s, T(1e-100));
  }
};

}  // namespace pliant
