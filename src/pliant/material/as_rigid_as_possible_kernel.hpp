#pragma once

#include "pliant/material/corotated_kernel.hpp"

namespace pliant {

/// As rigid as possible: Psi = mu sum (sigma_i - 1)^2, the squared distance of F to the nearest rotation.
/// Defined for every F. It does not resist a change of volume beyond that: corotated with lambda = 0.
struct AsRigidAsPossible {
  template <class T>
  PLIANT_KERNEL static T energy(const LameOf<T>& p, const Small3<T>& s) {
    return Corotated::energy<T>({p.mu, T(0.0)}, s);
  }

  template <class T>
  PLIANT_KERNEL static StretchGradient<T> gradient(const LameOf<T>& p, const Small3<T>& s) {
    return Corotated::gradient<T>({p.mu, T(0.0)}, s);
  }

  template <class T>
  PLIANT_KERNEL static StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>& s) {
    return Corotated::hessian<T>({p.mu, T(0.0)}, s);
  }
};

}  // namespace pliant
