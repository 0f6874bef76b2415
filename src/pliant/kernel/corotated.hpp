#pragma once

#include "pliant/kernel/elementary.hpp"
#include "pliant/kernel/rotation.hpp"
#include "pliant/kernel/stretch.hpp"

namespace pliant {

/// mu |F - R|^2 + lambda/2 tr(R^T F - I)^2 with R the rotation nearest to F, found without stretches where F
/// is far from collapse; no pair of them sums to nearly zero there.
template <class T>
struct TurnedStrain {
  LameOf<T> p;
  NearRotation<T> near;
  Small33<T> G;  ///< F - R
  T trace;
  decltype(T() > T()) valid;

  PLIANT_KERNEL TurnedStrain(const LameOf<T>& moduli, const Small33<T>& F)
      : p(moduli), near(F), valid(near.valid) {
    trace = T(0.0);
    for (int k = 0; k < 3; ++k) {
      G.column[k] = F.column[k] - near.R.column[k];
      trace = trace + dot(near.R.column[k], G.column[k]);
    }
  }
  PLIANT_KERNEL T energy() const {
    const T squares =
        dot(G.column[0], G.column[0]) + dot(G.column[1], G.column[1]) + dot(G.column[2], G.column[2]);
    return p.mu * squares + T(0.5) * p.lambda * (trace * trace);
  }
  PLIANT_KERNEL Small33<T> stress() const {
    const T twice = T(2.0) * p.mu, pressure = p.lambda * trace;
    Small33<T> P;
    for (int k = 0; k < 3; ++k) P.column[k] = twice * G.column[k] + pressure * near.R.column[k];
    return P;
  }
};

/// Corotated: Psi = mu sum (sigma_i - 1)^2 + lambda/2 (sum (sigma_i - 1))^2, linear elasticity in the frame
/// of the rotation. Defined for every F; the volume is kept only to first order, so that strong pressure can
/// flatten an element.
///
/// The sum S of the stretches is the largest eigenvalue of a symmetric 4x4 matrix that is linear in F
/// (Horn's, of the quaternion nearest to F); the three others are S less twice the sum of a pair. Where a
/// pair sums to zero two of them meet, and S has a kink. In a stretched element (S > 3 + 2 mu / lambda) the
/// energy rises with S: the kink is the floor of a valley, where the gradient vanishes nowhere and no descent
/// can end. So the largest is taken smoothly: S + w log(1 + sum exp(-2 (sigma_i + sigma_j) / w)), a smooth
/// function of F, above S by w log 2 where two meet and by nothing where all pairs sum to more than 23 w.
struct Corotated {
  template <class T>
  using OfRotation = TurnedStrain<T>;

  static constexpr double kWidth = 0.02;       ///< w
  static constexpr double kFar = 23 * kWidth;  ///< where a pair sums to more nothing is rounded

  template <class T>
  PLIANT_KERNEL static T energy(const LameOf<T>& p, const Small3<T>& s) {
    const T a = s[0] - T(1.0), b = s[1] - T(1.0), c = s[2] - T(1.0);
    const Rounding<T> round(s);
    const T trace = strain_trace(s, round);
    return p.mu * (a * a + b * b + c * c) + T(0.5) * p.lambda * (trace * trace);
  }

  template <class T>
  PLIANT_KERNEL static StretchGradient<T> gradient(const LameOf<T>& p, const Small3<T>& s) {
    const Rounding<T> round(s);
    const T pressure = p.lambda * strain_trace(s, round);
    const T twice = T(2.0) * p.mu;
    StretchGradient<T> g;
    for (int i = 0; i < 3; ++i) g[i] = twice * (s[i] - T(1.0)) + pressure * round.slope(i);
    return g;
  }

  template <class T>
  PLIANT_KERNEL static StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>& s) {
    const Rounding<T> round(s);
    const T twice = T(2.0) * p.mu;
    const T pressure = p.lambda * strain_trace(s, round);
    const auto entry = [&](int i, int j) {
      return p.lambda * (round.slope(i) * round.slope(j)) + pressure * round.curvature(i, j);
    };
    StretchHessian<T> h;
    h.A = {entry(0, 0) + twice, entry(0, 1), entry(0, 2),
           entry(1, 1) + twice, entry(1, 2), entry(2, 2) + twice};
    for (int k = 0; k < 3; ++k) {
      const int i = k == 0 ? 1 : 0, j = k == 2 ? 1 : 2;  // sigma_i >= sigma_j
      h.symmetric[k] = twice + T(2.0) * pressure * (round.share[i] * rate(s[i] - s[j]));
      h.antisymmetric[k] =
          twice + T(2.0) * (pressure * (round.first * rate(s[i] + s[j])) - twice / bounded_sum(s[i], s[j]));
    }
    return h;
  }

 private:
  /// The shares that the four numbers have in the rounded one: `first` that of S, `share[k]` that of S less
  /// twice the pair without stretch k.
  template <class T>
  struct Rounding {
    T first, others;
    Small3<T> share;
    PLIANT_KERNEL explicit Rounding(const Small3<T>& s) {
      const T pair[3] = {s[1] + s[2], s[2] + s[0], s[0] + s[1]};
      share = {T(0.0), T(0.0), T(0.0)};
      const T far(kFar);
      if (!all(pair[0] > far && pair[1] > far && pair[2] > far))
        for (int k = 0; k < 3; ++k)
          share[k] = select(pair[k] > far, T(0.0), exponential(T(-2.0 / kWidth) * pair[k]));
      others = share[0] + share[1] + share[2];
      first = T(1.0) / (T(1.0) + others);
      share = first * share;
    }
    /// By how much the rounded sum is above S.
    PLIANT_KERNEL T rise() const { return T(kWidth) * log_one_plus(others); }
    /// Derivative of the rounded sum by sigma_i.
    PLIANT_KERNEL T slope(int i) const { return T(1.0) - T(2.0) * without(i); }
    PLIANT_KERNEL T curvature(int i, int j) const {
      return T(4.0 / kWidth) * ((i == j ? without(i) : share[3 - i - j]) - without(i) * without(j));
    }
    PLIANT_KERNEL T without(int i) const { return share[(i + 1) % 3] + share[(i + 2) % 3]; }
  };

  template <class T>
  PLIANT_KERNEL static T strain_trace(const Small3<T>& s, const Rounding<T>& round) {
    return ((s[0] - T(1.0)) + (s[1] - T(1.0)) + (s[2] - T(1.0))) + round.rise();
  }

  /// (1 - exp(-2 a / w)) / a, for a >= 0.
  template <class T>
  PLIANT_KERNEL static T rate(const T& a) {
    const T d = larger(a, T(1e-9));
    return (T(1.0) - exponential(T(-2.0 / kWidth) * d)) / d;
  }
};

}  // namespace pliant
