#pragma once

#include "pliant/kernel/spline.hpp"
#include "pliant/kernel/stretch.hpp"

namespace pliant {

/// Psi = sum a(sigma_i) + sum b(sigma_i sigma_j) + c(J) with a, b and c given by splines (liu-2018, Eq. 7.12,
/// after Xu et al. 2015). In the units of the control points; mu and lambda have no say. Defined for every F.
struct SplineMaterial {
  SplinePieces a, b, c;

  template <class T>
  PLIANT_KERNEL T energy(const LameOf<T>&, const Small3<T>& s) const {
    T sum = at(c, s[0] * s[1] * s[2]).value;
    for (int k = 0; k < 3; ++k)
      sum = sum + (at(a, s[k]).value + at(b, s[(k + 1) % 3] * s[(k + 2) % 3]).value);
    return sum;
  }

  template <class T>
  PLIANT_KERNEL StretchGradient<T> gradient(const LameOf<T>&, const Small3<T>& s) const {
    const Values<T> v(*this, s);
    return v.gradient(s);
  }

  template <class T>
  PLIANT_KERNEL StretchHessian<T> hessian(const LameOf<T>&, const Small3<T>& s) const {
    const Values<T> v(*this, s);
    const T J = s[0] * s[1] * s[2];
    StretchHessian<T> h;
    const auto diagonal = [&](int i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const T pair = s[j] * s[k];
      return v.a[i].second + v.b[k].second * (s[j] * s[j]) + v.b[j].second * (s[k] * s[k]) +
             v.c.second * (pair * pair);
    };
    // Of i and j, k the third.
    const auto mixed = [&](int i, int j, int k) {
      return v.b[k].slope + v.b[k].second * (s[i] * s[j]) + s[k] * (v.c.slope + v.c.second * J);
    };
    h.A = {diagonal(0), mixed(0, 1, 2), mixed(0, 2, 1), diagonal(1), mixed(1, 2, 0), diagonal(2)};
    const StretchGradient<T> psi = v.gradient(s);
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      h.symmetric[k] = quotient(v.a[i], v.a[j], s[i] - s[j]) - v.b[k].slope +
                       (s[k] * s[k]) * quotient(v.b[j], v.b[i], s[k] * (s[i] - s[j])) - v.c.slope * s[k];
      h.antisymmetric[k] = (psi[i] + psi[j]) / bounded_sum(s[i], s[j]);
    }
    return h;
  }

 private:
  /// b[k] is that of the two other stretches.
  template <class T>
  struct Values {
    SplineValues<T> a[3], b[3], c;
    PLIANT_KERNEL Values(const SplineMaterial& m, const Small3<T>& s) : c(at(m.c, s[0] * s[1] * s[2])) {
      for (int k = 0; k < 3; ++k) {
        a[k] = at(m.a, s[k]);
        b[k] = at(m.b, s[(k + 1) % 3] * s[(k + 2) % 3]);
      }
    }
    PLIANT_KERNEL StretchGradient<T> gradient(const Small3<T>& s) const {
      StretchGradient<T> g;
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        g[i] = a[i].slope + b[k].slope * s[j] + b[j].slope * s[k] + c.slope * (s[j] * s[k]);
      }
      return g;
    }
  };

  /// The difference of slopes over that of places, which is the second derivative where both are one.
  template <class T>
  PLIANT_KERNEL static T quotient(const SplineValues<T>& x, const SplineValues<T>& y, const T& difference) {
    const auto apart = absolute(difference) > T(1e-5);
    return select(apart, (x.slope - y.slope) / select(apart, difference, T(1.0)),
                  T(0.5) * (x.second + y.second));
  }
};

}  // namespace pliant
