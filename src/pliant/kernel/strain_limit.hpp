#pragma once

#include "pliant/kernel/stretch.hpp"

namespace pliant {

/// Psi = mu sum (sigma_i - p_i)^2 with p_i the stretch between `low` and `high` that is closest: the squared
/// distance of F to the deformations within these limits (liu-2018, section 6.2). Within them nothing
/// resists.
struct StrainLimit {
  static constexpr bool kProjective = true;
  double low = 1, high = 1;

  template <class T>
  PLIANT_KERNEL T energy(const LameOf<T>& p, const Small3<T>& s) const {
    T sum(0.0);
    for (int i = 0; i < 3; ++i) sum = sum + beyond(s[i]) * beyond(s[i]);
    return p.mu * sum;
  }

  template <class T>
  PLIANT_KERNEL StretchGradient<T> gradient(const LameOf<T>& p, const Small3<T>& s) const {
    const T twice = T(2.0) * p.mu;
    return {twice * beyond(s[0]), twice * beyond(s[1]), twice * beyond(s[2])};
  }

  template <class T>
  PLIANT_KERNEL StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>& s) const {
    const T twice = T(2.0) * p.mu, none(0.0);
    const auto diagonal = [&](int i) {
      return select(s[i] < T(low), twice, select(s[i] > T(high), twice, none));
    };
    StretchHessian<T> h;
    h.A = {diagonal(0), none, none, diagonal(1), none, diagonal(2)};
    for (int k = 0; k < 3; ++k) {
      const T &a = s[(k + 1) % 3], &b = s[(k + 2) % 3];
      // The quotient of a function that is linear in pieces, and its slope where both are nearly one.
      const T difference = a - b;
      const auto apart = absolute(difference) > T(1e-9);
      h.symmetric[k] = twice * select(apart, (beyond(a) - beyond(b)) / select(apart, difference, T(1.0)),
                                      T(0.5) * (diagonal((k + 1) % 3) + diagonal((k + 2) % 3)) / twice);
      h.antisymmetric[k] = twice * ((beyond(a) + beyond(b)) / bounded_sum(a, b));
    }
    return h;
  }

 private:
  template <class T>
  PLIANT_KERNEL T beyond(const T& s) const {
    return select(s < T(low), s - T(low), select(s > T(high), s - T(high), T(0.0)));
  }
};

}  // namespace pliant
