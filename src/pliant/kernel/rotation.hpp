#pragma once

// The rotation nearest to a deformation, mostly without a singular value decomposition.

#include "pliant/kernel/svd.hpp"

namespace pliant {

/// R of the polar decomposition F = R S, where F is far from collapse: U V^T of its singular value
/// decomposition. By the iteration of Higham 1986, X <- (X + X^-T) / 2, in a third of the time.
template <class T>
struct NearRotation {
  Small33<T> R;
  decltype(T() > T()) valid;  ///< elsewhere R is of no use

  PLIANT_KERNEL explicit NearRotation(const Small33<T>& F) : R(F) {
    const T squares =
        dot(F.column[0], F.column[0]) + dot(F.column[1], F.column[1]) + dot(F.column[2], F.column[2]);
    valid = squares < T(6.0);
    // The smallest stretch is above 0.13 where the others' product is below 3: seven steps bring it to 1.
    constexpr int kSteps = 7;
    for (int step = 0; step < kSteps; ++step) {
      const Small3<T> c[3] = {cross(R.column[1], R.column[2]), cross(R.column[2], R.column[0]),
                              cross(R.column[0], R.column[1])};
      const T J = dot(R.column[0], c[0]);
      if (step == 0) valid = valid && J > T(0.4);
      const T scale = T(0.5) / select(valid, J, T(1.0));
      for (int k = 0; k < 3; ++k) R.column[k] = T(0.5) * R.column[k] + scale * c[k];
    }
  }
};

/// U V^T of the singular value decomposition, by that only where F is close to collapse.
template <class T>
PLIANT_KERNEL Small33<T> nearest_rotation(const Small33<T>& F) {
  const NearRotation<T> near(F);
  if (all(near.valid)) return near.R;
  const Svd<T> s = svd(F);
  Small33<T> R = s.U * transpose(s.V);
  for (int k = 0; k < 3; ++k) R.column[k] = select(near.valid, near.R.column[k], R.column[k]);
  return R;
}

}  // namespace pliant
