#pragma once

#include <limits>

#include "pliant/kernel/elementary.hpp"
#include "pliant/kernel/stretch.hpp"

namespace pliant {

/// Neo-Hookean: Psi = mu/2 (I_C - 3) - mu log J + lambda/2 log^2 J, and +infinity where J <= 0: an element
/// never turns inside out, and a line search backs off from one that would. Written in the strains e_i =
/// sigma_i - 1, so that nothing large cancels near rest. Derivatives where J <= 0 are not asked for; they are
/// those of a stretch close to zero.
///
/// It is also one of the few that need no stretches: `OfDeformation` writes it in F itself, several times as
/// fast. Near rest that costs digits, which `kRoundoff` owns up to.
struct NeoHookean {
  /// Roundoff of the energy density by `OfDeformation`, in units of mu.
  static constexpr double kRoundoff = 1e-15;

  /// P = mu F + q F^-T with q = lambda log J - mu.
  template <class T>
  struct OfDeformation {
    LameOf<T> p;
    Small33<T> F, inverse;  ///< the latter is F^-T
    decltype(T() > T()) valid;
    T logJ;
    PLIANT_KERNEL OfDeformation(const LameOf<T>& moduli, const Small33<T>& deformation)
        : p(moduli),
          F(deformation),
          inverse{{cross(F.column[1], F.column[2]), cross(F.column[2], F.column[0]),
                   cross(F.column[0], F.column[1])}},
          valid(dot(F.column[0], inverse.column[0]) > T(0.0)) {
      const T J = select(valid, dot(F.column[0], inverse.column[0]), T(1.0));
      const T scale = T(1.0) / J;
      for (int k = 0; k < 3; ++k) inverse.column[k] = scale * inverse.column[k];
      logJ = log_one_plus(J - T(1.0));
    }
    PLIANT_KERNEL T energy() const {
      const T squares =
          dot(F.column[0], F.column[0]) + dot(F.column[1], F.column[1]) + dot(F.column[2], F.column[2]);
      return select(valid, T(0.5) * (p.mu * (squares - T(3.0) - T(2.0) * logJ) + p.lambda * (logJ * logJ)),
                    T(std::numeric_limits<double>::infinity()));
    }
    PLIANT_KERNEL Small33<T> stress() const {
      const T q = p.lambda * logJ - p.mu;
      Small33<T> P;
      for (int k = 0; k < 3; ++k) P.column[k] = p.mu * F.column[k] + q * inverse.column[k];
      return P;
    }
    /// A material direction a, with what blocks need of it.
    struct Side {
      Small3<T> a, c;  ///< a and F^-T a
    };
    PLIANT_KERNEL Side side(const Small3<T>& a) const { return {a, inverse * a}; }
    /// a : dP/dF : b, with a and b material directions: mu (a . b) I - q c_b c_a^T + lambda c_a c_b^T, c =
    /// F^-T a.
    PLIANT_KERNEL Small33<T> block(const T& volume, const Side& a, const Side& b) const {
      const T q = volume * (p.mu - p.lambda * logJ), bulk = volume * p.lambda;
      const T diagonal = volume * (p.mu * dot(a.a, b.a));
      Small33<T> m;
      for (int j = 0; j < 3; ++j) m.column[j] = (q * a.c[j]) * b.c + (bulk * b.c[j]) * a.c;
      for (int k = 0; k < 3; ++k) m(k, k) = m(k, k) + diagonal;
      return m;
    }
  };

  template <class T>
  PLIANT_KERNEL static T energy(const LameOf<T>& p, const Small3<T>& s) {
    const auto valid = s[0] * s[1] * s[2] > T(0.0);
    T shear(0.0), logJ(0.0);
    for (int i = 0; i < 3; ++i) {
      const T stretch = select(valid, s[i], T(1.0)), e = stretch - T(1.0);
      const T log_stretch = logarithm(stretch);
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
    return logarithm(positive(s[0])) + logarithm(positive(s[1])) + logarithm(positive(s[2]));
  }
};

}  // namespace pliant
