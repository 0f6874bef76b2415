#pragma once

#include <limits>

#include "pliant/kernel/elementary.hpp"
#include "pliant/kernel/stretch.hpp"

namespace pliant {

/// Mooney-Rivlin with isochoric split: Psi = c10 (I_C J^(-2/3) - 3) + c01 (II_C J^(-4/3) - 3) + k/2 (J - 1)^2
/// with II_C = sum over pairs of sigma_i^2 sigma_j^2, and +infinity where J <= 0. Measured in units of the
/// bulk modulus k, by which a solid scales it: the two parameters are c10/k (in place of mu) and c01/k (in
/// place of lambda).
///
/// With r = J^(1/3), the isochoric stretches sigma_i / r have product one, which makes I_C J^(-2/3) - 3 a
/// quadratic of their strains: nothing large cancels near rest. Derivatives where J <= 0 are not asked for;
/// they are those of a stretch close to zero.
struct MooneyRivlin {
  template <class T>
  PLIANT_KERNEL static T energy(const LameOf<T>& p, const Small3<T>& s) {
    const auto valid = s[0] * s[1] * s[2] > T(0.0);
    const Isochoric<T> v(select(valid, s, Small3<T>{T(1.0), T(1.0), T(1.0)}));
    return select(valid, p.mu * v.first + p.lambda * v.second + T(0.5) * (v.j * v.j),
                  T(std::numeric_limits<double>::infinity()));
  }

  template <class T>
  PLIANT_KERNEL static StretchGradient<T> gradient(const LameOf<T>& p, const Small3<T>& s) {
    const Small3<T> stretch = positive(s);
    const Isochoric<T> v(stretch);
    StretchGradient<T> g;
    for (int i = 0; i < 3; ++i)
      g[i] = log_slope(p, v, i) / stretch[i] + v.j * (stretch[(i + 1) % 3] * stretch[(i + 2) % 3]);
    return g;
  }

  template <class T>
  PLIANT_KERNEL static StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>& s) {
    const Small3<T> stretch = positive(s);
    const Isochoric<T> v(stretch);
    const T J = v.j + T(1.0);
    const T ninth = T(1.0 / 9.0) * (p.mu * (v.first + T(3.0)) + p.lambda * (v.second + T(3.0)));
    // c10 and c01 times what each stretch adds to the invariants
    Small3<T> part;
    for (int i = 0; i < 3; ++i) part[i] = p.mu * (v.square[i] + T(1.0)) + p.lambda * (v.area[i] + T(1.0));
    const auto diagonal = [&](int i) {
      const T area = stretch[(i + 1) % 3] * stretch[(i + 2) % 3];
      const T by_log = T(4.0) * (T(1.0 / 3.0) * part[i] + ninth);
      return (by_log - log_slope(p, v, i)) / (stretch[i] * stretch[i]) + area * area;
    };
    const auto mixed = [&](int i, int j, int k) {
      const T by_log = T(4.0) * (ninth - T(1.0 / 3.0) * (part[i] + part[j]));
      return by_log / (stretch[i] * stretch[j]) + (J + v.j) * stretch[k];
    };
    StretchHessian<T> h;
    h.A = {diagonal(0), mixed(0, 1, 2), mixed(0, 2, 1), diagonal(1), mixed(1, 2, 0), diagonal(2)};
    set_pairs(p, stretch, v, h);
    return h;
  }

 private:
  /// What the energy is made of, each less its value at rest.
  template <class T>
  struct Isochoric {
    Small3<T> square, area;  ///< sigma_i^2 / r^2 - 1, and sigma_j^2 sigma_k^2 / r^4 - 1
    T r;                     ///< J^(1/3)
    T j;                     ///< J - 1
    T first, second;         ///< I_C / r^2 - 3, II_C / r^4 - 3
    PLIANT_KERNEL explicit Isochoric(const Small3<T>& s) {
      Small3<T> e;
      for (int i = 0; i < 3; ++i) e[i] = s[i] - T(1.0);
      j = (e[0] + e[1] + e[2]) + (e[0] * e[1] + e[0] * e[2] + e[1] * e[2]) + e[0] * (e[1] * e[2]);
      r = cube_root(s[0] * s[1] * s[2]);
      const T growth = j / (r * r + r + T(1.0));  // r - 1
      for (int i = 0; i < 3; ++i) {
        e[i] = (e[i] - growth) / r;
        square[i] = e[i] * (T(2.0) + e[i]);
      }
      // (1 + e_0)(1 + e_1)(1 + e_2) = 1, so the sum of the e is minus that of their products.
      const T products = (e[0] * e[1] + e[0] * e[2] + e[1] * e[2]) + e[0] * (e[1] * e[2]);
      first = (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) - T(2.0) * products;
      second = T(2.0) * first + (square[0] * square[1] + square[0] * square[2] + square[1] * square[2]);
      for (int i = 0; i < 3; ++i) {
        const T a = square[(i + 1) % 3], b = square[(i + 2) % 3];
        area[i] = a + b + a * b;
      }
    }
  };

  /// Derivative of the isochoric part by log sigma_i.
  template <class T>
  PLIANT_KERNEL static T log_slope(const LameOf<T>& p, const Isochoric<T>& v, int i) {
    return T(2.0) *
           (p.mu * (v.square[i] - T(1.0 / 3.0) * v.first) + p.lambda * (T(1.0 / 3.0) * v.second - v.area[i]));
  }

  /// psi_i = 2 c10 sigma_i / r^2 - 2 c01 r^2 / sigma_i^3 + q / sigma_i with one q for all i.
  template <class T>
  PLIANT_KERNEL static void set_pairs(const LameOf<T>& p, const Small3<T>& s, const Isochoric<T>& v,
                                      StretchHessian<T>& h) {
    const T rr = v.r * v.r;
    const T q =
        T(2.0 / 3.0) * (p.lambda * (v.second + T(3.0)) - p.mu * (v.first + T(3.0))) + v.j * (v.j + T(1.0));
    for (int k = 0; k < 3; ++k) {
      const T a = s[(k + 1) % 3], b = s[(k + 2) % 3];
      const T inverse = T(1.0) / (a * b), ratios = a / b + b / a;
      const T linear = T(2.0) * p.mu / rr, cubic = T(2.0) * p.lambda * (rr * inverse);
      h.symmetric[k] = linear + inverse * (cubic * (ratios + T(1.0)) - q);
      h.antisymmetric[k] = linear - inverse * (cubic * (ratios - T(1.0)) - q);
    }
  }

  template <class T>
  PLIANT_KERNEL static Small3<T> positive(const Small3<T>& s) {
    return {larger(s[0], T(1e-60)), larger(s[1], T(1e-60)), larger(s[2], T(1e-60))};
  }
};

}  // namespace pliant
