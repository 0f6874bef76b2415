#pragma once

#include "pliant/kernel/stretch.hpp"

namespace pliant {

/// Psi = mu sum (sigma_i - p_i)^2 with p the closest stretches whose product is 1: the squared distance of F
/// to the deformations that keep the volume, SL(3) (liu-2018, section 6.2). With the multiplier n, p_i -
/// sigma_i = n / p_i, so that p_i is a root of a quadratic equation and n that of one increasing function.
struct KeptVolume {
  static constexpr bool kProjective = true;

  template <class T>
  PLIANT_KERNEL static T energy(const LameOf<T>& m, const Small3<T>& s) {
    const Small3<T> p = nearest(s);
    T sum(0.0);
    for (int i = 0; i < 3; ++i) sum = sum + (s[i] - p[i]) * (s[i] - p[i]);
    return m.mu * sum;
  }

  template <class T>
  PLIANT_KERNEL static StretchGradient<T> gradient(const LameOf<T>& m, const Small3<T>& s) {
    const Small3<T> p = nearest(s);
    const T twice = T(2.0) * m.mu;
    return {twice * (s[0] - p[0]), twice * (s[1] - p[1]), twice * (s[2] - p[2])};
  }

  /// dp_i = w_i (ds_i + dn / p_i) with w_i = p_i^2 / (p_i^2 + n), and sum dp_i / p_i = 0.
  template <class T>
  PLIANT_KERNEL static StretchHessian<T> hessian(const LameOf<T>& m, const Small3<T>& s) {
    const Small3<T> p = nearest(s);
    const T n = p[0] * (p[0] - s[0]), twice = T(2.0) * m.mu;
    Small3<T> w, q;
    T total(0.0);
    for (int i = 0; i < 3; ++i) {
      const T square = p[i] * p[i], sum = square + n;
      w[i] = square / select(absolute(sum) > T(1e-12), sum, T(1e-12));
      q[i] = w[i] / p[i];
      total = total + q[i] / p[i];
    }
    const T scale = T(1.0) / select(absolute(total) > T(1e-12), total, T(1e-12));
    const auto entry = [&](int i, int j) {
      const T moved = T(-1.0) * (q[i] * (q[j] * scale)) + (i == j ? w[i] : T(0.0));
      return twice * ((i == j ? T(1.0) : T(0.0)) - moved);
    };
    StretchHessian<T> h;
    h.A = {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
    for (int k = 0; k < 3; ++k) {
      const T &a = p[(k + 1) % 3], &b = p[(k + 2) % 3];
      // psi_i = -2 mu n / p_i, and s_i - s_j = (p_i - p_j)(1 + n / (p_i p_j)).
      const T product = a * b, sum = product + n;
      h.symmetric[k] = twice * n / select(absolute(sum) > T(1e-12), sum, T(1e-12));
      h.antisymmetric[k] =
          T(-1.0) * twice * n * (a + b) / (product * bounded_sum(s[(k + 1) % 3], s[(k + 2) % 3]));
    }
    return h;
  }

 private:
  /// By Newton's method in the logarithm of the product, safeguarded by an interval. Where even half of the
  /// smallest stretch leaves too much volume, its other root is the one.
  template <class T>
  PLIANT_KERNEL static Small3<T> nearest(const Small3<T>& s) {
    // All roots exist down to n = -(smallest square) / 4; the smallest stretch may be negative: then it goes
    // up.
    const T least = select(absolute(s[2]) < absolute(s[1]), absolute(s[2]), absolute(s[1]));
    const T lowest = T(-0.25) * (least * least);
    const T at_lowest = product(s, lowest, T(1.0));
    // Which root the smallest takes: the larger one unless the product is above 1 even at the end of it.
    const T side = select(at_lowest > T(1.0) && s[2] > T(0.0), T(-1.0), T(1.0));
    T low = lowest, high = select(side > T(0.0), T(1.0) + T(4.0) * (s[0] * s[0] + T(1.0)), T(0.0));
    constexpr int kHalvings = 60;
    for (int i = 0; i < kHalvings; ++i) {
      const T middle = T(0.5) * (low + high);
      // On the other side the product falls with n.
      const auto above = side * (product(s, middle, side) - T(1.0)) > T(0.0);
      high = select(above, middle, high);
      low = select(above, low, middle);
    }
    return roots(s, T(0.5) * (low + high), side);
  }

  template <class T>
  PLIANT_KERNEL static Small3<T> roots(const Small3<T>& s, const T& n, const T& side) {
    Small3<T> p;
    for (int i = 0; i < 3; ++i) {
      const T square = root(larger(s[i] * s[i] + T(4.0) * n, T(0.0)));
      const T sign = i == 2 ? side : T(1.0);
      // s + sqrt loses digits where s is negative; the other form of the same root does not.
      p[i] = select(s[i] < T(0.0), T(2.0) * n / larger(square - s[i], T(1e-300)),
                    T(0.5) * (s[i] + sign * square));
    }
    return p;
  }
  template <class T>
  PLIANT_KERNEL static T product(const Small3<T>& s, const T& n, const T& side) {
    const Small3<T> p = roots(s, n, side);
    return p[0] * p[1] * p[2];
  }
};

}  // namespace pliant
