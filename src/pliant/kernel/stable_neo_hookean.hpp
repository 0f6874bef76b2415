#pragma once

#include "pliant/kernel/elementary.hpp"
#include "pliant/kernel/stretch.hpp"

namespace pliant {

/// Stable Neo-Hookean (Smith et al. 2018): Psi = mu'/2 (I_C - 3) + lambda'/2 (J - alpha)^2 - mu'/2 log(I_C +
/// 1), less its value at rest, with mu' = 4/3 mu, lambda' = lambda + 5/6 mu and alpha = 1 + 3/4 mu'/lambda',
/// so that small strains see mu and lambda. Defined for every F, inverted and collapsed ones included.
/// Written in the strains e_i = sigma_i - 1, so that nothing large cancels near rest: with i = I_C - 3 and j
/// = J - 1, Psi = mu'/2 (i/4 - log(1 + i/4) + 3/4 sum e^2 - 3/2 (e0 e1 + e0 e2 + e1 e2 + e0 e1 e2)) +
/// lambda'/2 j^2.
///
/// Like Neo-Hookean it needs no stretches: `OfDeformation` writes it in F itself, several times as fast. Near
/// rest that costs digits, which `kRoundoff` owns up to.
struct StableNeoHookean {
  /// Roundoff of the energy density by `OfDeformation`, in units of mu.
  static constexpr double kRoundoff = 2e-15;

  /// P = s F + q cof F with s = mu' (I_C / (I_C + 1)) and q = lambda' j - 3/4 mu'.
  template <class T>
  struct OfDeformation {
    T mu, lambda;
    Small33<T> F, cofactors;
    T i, j;  ///< I_C - 3, J - 1
    PLIANT_KERNEL OfDeformation(const LameOf<T>& moduli, const Small33<T>& deformation)
        : mu(StableNeoHookean::mu(moduli)),
          lambda(StableNeoHookean::lambda(moduli)),
          F(deformation),
          cofactors{{cross(F.column[1], F.column[2]), cross(F.column[2], F.column[0]),
                     cross(F.column[0], F.column[1])}},
          i(dot(F.column[0], F.column[0]) + dot(F.column[1], F.column[1]) + dot(F.column[2], F.column[2]) -
            T(3.0)),
          j(dot(F.column[0], cofactors.column[0]) - T(1.0)) {}
    PLIANT_KERNEL T energy() const {
      const T quarter = T(0.25) * i;
      const T shear = i - log_one_plus(quarter) - T(1.5) * j;
      return T(0.5) * (mu * shear + lambda * (j * j));
    }
    PLIANT_KERNEL Small33<T> stress() const {
      const T s = shear(), q = pressure();
      Small33<T> P;
      for (int k = 0; k < 3; ++k) P.column[k] = s * F.column[k] + q * cofactors.column[k];
      return P;
    }
    /// A material direction a, with what blocks need of it.
    struct Side {
      Small3<T> a, f, c;           ///< a, F a and cof F a
      Small3<T> stiff_f, stiff_c;  ///< the latter two times 2 mu' / (I_C + 1)^2 and lambda'
    };
    PLIANT_KERNEL Side side(const Small3<T>& a) const {
      const T inverse = T(1.0) / (T(4.0) + i);
      const Small3<T> f = F * a, c = cofactors * a;
      return {a, f, c, (T(2.0) * mu * (inverse * inverse)) * f, lambda * c};
    }
    /// a : dP/dF : b, with a and b material directions: s (a . b) I + 2 mu' / (I_C + 1)^2 (F a) (F b)^T +
    /// lambda' (cof F a) (cof F b)^T + q times the matrix of the cross product with - F (a x b).
    PLIANT_KERNEL Small33<T> block(const T& volume, const Side& a, const Side& b) const {
      const Small3<T> turn = (volume * pressure()) * (F * cross(a.a, b.a));
      const T diagonal = (volume * shear()) * dot(a.a, b.a);
      Small33<T> m;
      for (int k = 0; k < 3; ++k) m.column[k] = volume * (b.stiff_f[k] * a.f + b.stiff_c[k] * a.c);
      for (int k = 0; k < 3; ++k) {
        const int next = (k + 1) % 3, last = (k + 2) % 3;
        m(k, k) = m(k, k) + diagonal;
        m(next, last) = m(next, last) + turn[k];
        m(last, next) = m(last, next) - turn[k];
      }
      return m;
    }

   private:
    PLIANT_KERNEL T shear() const { return mu * ((T(3.0) + i) / (T(4.0) + i)); }
    PLIANT_KERNEL T pressure() const { return lambda * j - T(0.75) * mu; }
  };

  template <class T>
  PLIANT_KERNEL static T energy(const LameOf<T>& p, const Small3<T>& s) {
    const Strains<T> v(s);
    const T quarter = T(0.25) * v.i;
    const T shear = quarter - log_one_plus(quarter) + T(0.75) * v.squares - T(1.5) * v.products;
    return T(0.5) * mu(p) * shear + T(0.5) * lambda(p) * (v.j * v.j);
  }

  template <class T>
  PLIANT_KERNEL static StretchGradient<T> gradient(const LameOf<T>& p, const Small3<T>& s) {
    // psi_a = mu' (3/4 (sigma_a - sigma_b sigma_c) + i / (4 (4 + i)) sigma_a) + lambda' j sigma_b sigma_c
    const Strains<T> v(s);
    const T growth = v.i / (T(4.0) * (T(4.0) + v.i));
    StretchGradient<T> g;
    for (int a = 0; a < 3; ++a) {
      const T eb = v.e[(a + 1) % 3], ec = v.e[(a + 2) % 3];
      const T area = s[(a + 1) % 3] * s[(a + 2) % 3];
      g[a] = mu(p) * (T(0.75) * (v.e[a] - eb - ec - eb * ec) + growth * s[a]) + lambda(p) * (v.j * area);
    }
    return g;
  }

  template <class T>
  PLIANT_KERNEL static StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>& s) {
    const Strains<T> v(s);
    const T inverse = T(1.0) / (T(4.0) + v.i);             // 1 / (I_C + 1)
    const T shear = mu(p) * ((T(3.0) + v.i) * inverse);    // multiplies sigma_a in the stress
    const T pressure = lambda(p) * v.j - T(0.75) * mu(p);  // multiplies sigma_b sigma_c
    const T bend = T(2.0) * mu(p) * (inverse * inverse);
    const T stiffening = lambda(p) * (v.j + T(1.0)) + pressure;
    const auto diagonal = [&](int a) {
      const T area = s[(a + 1) % 3] * s[(a + 2) % 3];
      return shear + bend * (s[a] * s[a]) + lambda(p) * (area * area);
    };
    const auto mixed = [&](int a, int b, int c) { return bend * (s[a] * s[b]) + stiffening * s[c]; };
    StretchHessian<T> h;
    h.A = {diagonal(0), mixed(0, 1, 2), mixed(0, 2, 1), diagonal(1), mixed(1, 2, 0), diagonal(2)};
    for (int k = 0; k < 3; ++k) {
      h.symmetric[k] = shear - pressure * s[k];
      h.antisymmetric[k] = shear + pressure * s[k];
    }
    return h;
  }

 private:
  template <class T>
  PLIANT_KERNEL static T mu(const LameOf<T>& p) {
    return T(4.0 / 3.0) * p.mu;
  }
  template <class T>
  PLIANT_KERNEL static T lambda(const LameOf<T>& p) {
    return p.lambda + T(5.0 / 6.0) * p.mu;
  }

  template <class T>
  struct Strains {
    Small3<T> e;
    T squares, products;  ///< sum of e^2; sum of e_a e_b, plus e_0 e_1 e_2
    T i, j;               ///< I_C - 3, J - 1
    PLIANT_KERNEL explicit Strains(const Small3<T>& s) {
      for (int a = 0; a < 3; ++a) e[a] = s[a] - T(1.0);
      const T sum = e[0] + e[1] + e[2];
      squares = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
      products = e[0] * e[1] + e[0] * e[2] + e[1] * e[2] + e[0] * (e[1] * e[2]);
      i = T(2.0) * sum + squares;
      j = sum + products;
    }
  };
};

}  // namespace pliant
