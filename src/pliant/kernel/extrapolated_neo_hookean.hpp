#pragma once

#include "pliant/kernel/elementary.hpp"
#include "pliant/kernel/stretch.hpp"

namespace pliant {

/// Neo-Hookean, continued to every F: Psi = mu/2 (I_C - 3) - mu sum L(sigma_i) + lambda/2 L(J)^2 with L the
/// logarithm down to a limit, and below it a function that joins it with two continuous derivatives and goes
/// on to minus infinity with a bounded slope. Where all stretches and J are above the limit this is
/// Neo-Hookean. The idea, an energy extended past a limit on the stretches, is that of Stomakhin et al. 2012
/// (who extend by a line plus a square, with one continuous derivative); lambda sees J and not the stretches
/// one by one, so that the smallest stretch of a flat or inverted element is pushed up whatever the others
/// are.
struct ExtrapolatedNeoHookean {
  static constexpr double kLimit = 0.2;

  template <class T>
  PLIANT_KERNEL static T energy(const LameOf<T>& p, const Small3<T>& s) {
    T shear(0.0);
    for (int i = 0; i < 3; ++i) {
      const T e = s[i] - T(1.0);
      shear = shear + (e - Logarithm<T>(e).value + T(0.5) * (e * e));
    }
    const T volume = Logarithm<T>(volume_strain(s)).value;
    // sum e^2/2 + sum e is the half of I_C - 3
    return p.mu * shear + T(0.5) * p.lambda * (volume * volume);
  }

  template <class T>
  PLIANT_KERNEL static StretchGradient<T> gradient(const LameOf<T>& p, const Small3<T>& s) {
    const Logarithm<T> volume(volume_strain(s));
    const T pressure = p.lambda * (volume.value * volume.slope);
    StretchGradient<T> g;
    for (int i = 0; i < 3; ++i) {
      const T e = s[i] - T(1.0);
      const Logarithm<T> log(e);
      // sigma - L', which above the limit is sigma - 1/sigma
      const T shear = select(log.inside, e * (T(2.0) + e) * log.slope, s[i] - log.slope);
      g[i] = p.mu * shear + pressure * (s[(i + 1) % 3] * s[(i + 2) % 3]);
    }
    return g;
  }

  template <class T>
  PLIANT_KERNEL static StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>& s) {
    const Logarithm<T> volume(volume_strain(s));
    const T J = s[0] * s[1] * s[2];
    const T pressure = p.lambda * (volume.value * volume.slope);
    const T bulk = p.lambda * (volume.slope * volume.slope + volume.value * volume.curvature);
    const T mixed = bulk * J + pressure;
    const Logarithm<T> log[3]{Logarithm<T>(s[0] - T(1.0)), Logarithm<T>(s[1] - T(1.0)),
                              Logarithm<T>(s[2] - T(1.0))};
    const auto diagonal = [&](int i) {
      const T area = s[(i + 1) % 3] * s[(i + 2) % 3];
      return p.mu * (T(1.0) - log[i].curvature) + bulk * (area * area);
    };
    StretchHessian<T> h;
    h.A = {diagonal(0), mixed * s[2], mixed * s[1], diagonal(1), mixed * s[0], diagonal(2)};
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      h.symmetric[k] = p.mu * (T(1.0) - slope_quotient(s[i], s[j], log[i], log[j])) - pressure * s[k];
      h.antisymmetric[k] =
          p.mu * (T(1.0) - (log[i].slope + log[j].slope) / bounded_sum(s[i], s[j])) + pressure * s[k];
    }
    return h;
  }

 private:
  /// L of x = 1 + e and two derivatives. With u = 1 - x/a below the limit a: L = log a - 3/2 u + u/(2 (1 +
  /// u)).
  template <class T>
  struct Logarithm {
    decltype(T() > T()) inside;  ///< at or above the limit
    T above, below;              ///< max(x, a); 1 + u, which is 1 above the limit
    T value, slope, curvature;
    PLIANT_KERNEL explicit Logarithm(const T& e) : inside(e >= T(kLimit - 1.0)) {
      const T x = T(1.0) + e, inverse_limit(1.0 / kLimit);
      above = select(inside, x, T(kLimit));
      const T u = select(inside, T(0.0), T(1.0) - inverse_limit * x);
      below = T(1.0) + u;
      const T q = T(1.0) / below, inverse = T(1.0) / above;
      value = log_one_plus(select(inside, e, T(kLimit - 1.0))) - T(1.5) * u + T(0.5) * (u * q);
      slope = select(inside, inverse, inverse_limit * (T(1.5) - T(0.5) * (q * q)));
      curvature = T(-1.0) * (inverse * inverse) * (q * (q * q));
    }
  };

  /// (L'(a) - L'(b)) / (a - b) without the subtraction: the way from a to b is in part above the limit, where
  /// the quotient of 1/x is taken, and in part below, where that of the continuation is.
  template <class T>
  PLIANT_KERNEL static T slope_quotient(const T& a, const T& b, const Logarithm<T>& la,
                                        const Logarithm<T>& lb) {
    const T way = a - b;
    const auto apart = absolute(way) > T(0.0);
    const T share =
        select(apart, (la.above - lb.above) / select(apart, way, T(1.0)), select(la.inside, T(1.0), T(0.0)));
    const T product = la.below * lb.below;
    const T quotient_above = T(1.0) / (la.above * lb.above);
    const T quotient_below = T(0.5 / (kLimit * kLimit)) * (la.below + lb.below) / (product * product);
    return T(-1.0) * (share * quotient_above + (T(1.0) - share) * quotient_below);
  }

  /// J - 1
  template <class T>
  PLIANT_KERNEL static T volume_strain(const Small3<T>& s) {
    const T a = s[0] - T(1.0), b = s[1] - T(1.0), c = s[2] - T(1.0);
    return (a + b + c) + (a * b + a * c + b * c) + a * (b * c);
  }
};

}  // namespace pliant
