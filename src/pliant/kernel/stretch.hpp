#pragma once

// What an isotropic material is, to the rest of the library: its energy density as a function of the
// principal stretches sigma_0 >= sigma_1 >= |sigma_2|, with derivatives. See `FixedCorotated` for how one is
// written.

#include "pliant/kernel/svd.hpp"

namespace pliant {

template <class T>
struct LameOf {
  T mu, lambda;
};

/// First derivatives of the energy density by the stretches: the principal first Piola-Kirchhoff stresses.
template <class T>
using StretchGradient = Small3<T>;

/// Second derivatives. In the frame of the stretches dP/dF falls apart into the 3x3 matrix `A` =
/// d2Psi/dsigma_i dsigma_j on the diagonal entries and, for each pair, a symmetric mode with eigenvalue
/// (psi_i - psi_j)/(sigma_i - sigma_j) and an antisymmetric one with (psi_i + psi_j)/(sigma_i + sigma_j).
/// Pair k is the one without stretch k.
template <class T>
struct StretchHessian {
  Symmetric33<T> A;
  Small3<T> symmetric;
  Small3<T> antisymmetric;
};

/// The sum of two stretches, kept away from zero: there the energy of some models has a ridge, where the true
/// derivative is unbounded. Ordered stretches never have a negative sum.
template <class T>
PLIANT_KERNEL T bounded_sum(const T& a, const T& b) {
  return larger(a + b, T(1e-6));
}

}  // namespace pliant
