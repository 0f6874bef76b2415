#pragma once

#include <limits>

#include "pliant/material/stretch_kernel.hpp"

namespace pliant {

/// Neo-Hookean: Psi = mu/2 (I_C - 3) - mu log J + lambda/2 log^2 J, and +infinity where J <= 0: an element
/// never turns inside out, and a line search backs off from one that would. Written in the strains e_i =
/// sigma_i - 1, so that nothing large cancels near rest. Derivatives where J <= 0 are not asked for; they are
/// those of a stretch close to zero.
struct NeoHookean {
  template <class T>
  PLIANT_KERNEL static T energy(const LameOf<T>& p, const Small3<T>& s) {
    const auto valid = s[0] * s[1] * s[2] > T(0.0);
    T shear(0.0), logJ(0.0);
    for (int i = 0; i < 3; ++i) {
      const T stretch = select(valid, s[i], T(1.0)), e = stretch - T(1.0);
      const T log_stretch = log_positive(stretch);
      shear = shear + (e - log_stretch + T(0.5) * (e * e));
      logJ = logJ + log_stretch;
    }
    return select(valid, p.mu * shear + T(0.5) * p.lambda * (logJ * logJ),
                  T(std::numeric_limits<double>::infinity()));
  }

  template <class T>
  PLIANT_KERNEL static StretchGradient<T> gradient(const LameOf<T>& p, const Small3<T>& s) {
    const T pressure = p.lambda * log_volume(s);
    StretchGradient<T> g;
    for (int i = 0; i < 3; ++i) {
      const T stretch = positive(s[i]), e = stretch - T(1.0);
      g[i] = (p.mu * (e * (T(2.0) + e)) + pressure) / stretch;
    }
    return g;
  }

  template <class T>
  PLIANT_KERNEL static StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>& s) {
    // psi_i = mu sigma_i + q / sigma_i
    const T q = p.lambda * log_volume(s) - p.mu;
    Small3<T> inverse;
    for (int i = 0; i < 3; ++i) inverse[i] = T(1.0) / positive(s[i]);
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
  template <class T>
  PLIANT_KERNEL static T positive(const T& s) {
    return larger(s, T(1e-100));
  }
  template <class T>
  PLIANT_KERNEL static T log_volume(const Small3<T>& s) {
    return log_positive(positive(s[0])) + log_positive(positive(s[1])) + log_positive(positive(s[2]));
  }
};

}  // namespace pliant
