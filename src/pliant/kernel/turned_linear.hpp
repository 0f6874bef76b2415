#pragma once

#include "pliant/kernel/rotation.hpp"
#include "pliant/kernel/stretch.hpp"

namespace pliant {

/// Linear elasticity in the frame of the rotation R nearest to F, which its second derivative takes for
/// fixed: with G = F - R, Psi = mu |G|^2 + lambda/2 (R : G)^2, P = 2 mu G + lambda (R : G) R.
struct TurnedLinear {
  /// Roundoff of the energy density, in units of mu.
  static constexpr double kRoundoff = 1e-15;

  template <class T>
  struct OfDeformation {
    LameOf<T> p;
    Small33<T> R, G;
    T trace;
    PLIANT_KERNEL OfDeformation(const LameOf<T>& moduli, const Small33<T>& F)
        : p(moduli), R(nearest_rotation(F)) {
      trace = T(0.0);
      for (int k = 0; k < 3; ++k) {
        G.column[k] = F.column[k] - R.column[k];
        trace = trace + dot(R.column[k], G.column[k]);
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
      for (int k = 0; k < 3; ++k) P.column[k] = twice * G.column[k] + pressure * R.column[k];
      return P;
    }
    /// A material direction a, with what blocks need of it.
    struct Side {
      Small3<T> r;  ///< R a
    };
    PLIANT_KERNEL Side side(const Small3<T>& a) const { return {R * a}; }
    /// lambda a b^T + mu (b a^T + a . b I), turned.
    PLIANT_KERNEL Small33<T> block(const T& volume, const Side& a, const Side& b) const {
      const T mu = volume * p.mu, lambda = volume * p.lambda, diagonal = mu * dot(a.r, b.r);
      Small33<T> m;
      for (int k = 0; k < 3; ++k) m.column[k] = (lambda * b.r[k]) * a.r + (mu * a.r[k]) * b.r;
      for (int k = 0; k < 3; ++k) m(k, k) = m(k, k) + diagonal;
      return m;
    }
  };

  /// In the frame of the stretches, as all materials have them.
  template <class T>
  PLIANT_KERNEL static T energy(const LameOf<T>& p, const Small3<T>& s) {
    const T a = s[0] - T(1.0), b = s[1] - T(1.0), c = s[2] - T(1.0);
    return p.mu * (a * a + b * b + c * c) + T(0.5) * p.lambda * ((a + b + c) * (a + b + c));
  }
  template <class T>
  PLIANT_KERNEL static StretchGradient<T> gradient(const LameOf<T>& p, const Small3<T>& s) {
    const T twice = T(2.0) * p.mu, pressure = p.lambda * (s[0] + s[1] + s[2] - T(3.0));
    return {twice * (s[0] - T(1.0)) + pressure, twice * (s[1] - T(1.0)) + pressure,
            twice * (s[2] - T(1.0)) + pressure};
  }
  template <class T>
  PLIANT_KERNEL static StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>&) {
    const T twice = T(2.0) * p.mu, sum = p.lambda + twice;
    StretchHessian<T> h;
    h.A = {sum, p.lambda, p.lambda, sum, p.lambda, sum};
    for (int k = 0; k < 3; ++k) {
      h.symmetric[k] = twice;
      h.antisymmetric[k] = T(0.0);
    }
    return h;
  }
};

}  // namespace pliant
