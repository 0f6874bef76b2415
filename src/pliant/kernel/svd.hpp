#pragma once

// Singular values of 3x3 matrices and eigenvalues of symmetric ones, by Jacobi rotations without branches, so
// that they run on packs. Accurate to a few roundoffs of the largest entry for any input, rank-deficient and
// zero matrices included.

#include "pliant/kernel/small.hpp"

namespace pliant {

/// F = U diag(sigma) V^T with rotations U and V (determinant +1) and sigma_0 >= sigma_1 >= |sigma_2|: the
/// smallest stretch carries the sign of det F.
template <class T>
struct Svd {
  Small33<T> U;
  Small3<T> sigma;
  Small33<T> V;
};

namespace detail {

/// Whether two columns of entries of at most 1, with squared norms a and b and inner product g, are
/// orthogonal up to roundoff of the largest entry.
template <class T>
PLIANT_KERNEL auto orthogonal(const T& a, const T& b, const T& g) {
  return g * g <= T(1e-30) * larger(a, b);
}

/// Cosine and sine of the rotation that makes two columns with squared norms a, b and inner product g
/// orthogonal: tan(2 theta) = 2 g / (b - a), taken for the smaller angle; none where they are `settled`. The
/// angle is found in single precision, since what is missed shrinks by seven digits with the next sweep, and
/// the pair then scaled to unit length in double precision.
template <class T, class Mask>
PLIANT_KERNEL void jacobi_rotation(const T& a, const T& b, const T& g, const Mask& settled, T& cosine,
                                   T& sine) {
  using S = Single<T>;
  const T difference = b - a;
  const S size = to_single(larger(larger(absolute(a), absolute(b)), larger(absolute(g), T(1e-35))));
  const S d = to_single(difference) / size;
  const S twice = to_single(g + g) / size;
  const S h = absolute(d) + root(d * d + twice * twice);
  const S scale = S(1.0F) / root(h * h + twice * twice + S(1e-37F));
  const T c = to_double<T>(h * scale);
  const T s = select(difference < T(0.0), T(-1.0), T(1.0)) * to_double<T>(twice * scale);
  const T excess = (c * c + s * s) - T(1.0);
  const T correction = T(1.0) - excess * (T(0.5) - T(0.375) * excess);
  cosine = select(settled, T(1.0), c * correction);
  sine = select(settled, T(0.0), s * correction);
}

template <class T>
PLIANT_KERNEL void rotate_columns(Small33<T>& m, int p, int q, const T& cosine, const T& sine) {
  const Small3<T> a = m.column[p], b = m.column[q];
  m.column[p] = cosine * a - sine * b;
  m.column[q] = sine * a + cosine * b;
}

/// Swaps columns p and q where asked, negating one so that the determinant stays.
template <class Mask, class T>
PLIANT_KERNEL void swap_columns(const Mask& mask, Small33<T>& m, int p, int q) {
  const Small3<T> a = m.column[p], b = m.column[q];
  m.column[p] = select(mask, b, a);
  m.column[q] = select(mask, T(-1.0) * a, b);
}

/// Rotates columns p and q of B and V so that those of B become orthogonal; whether any was not.
template <class T>
PLIANT_KERNEL bool make_orthogonal(Small33<T>& B, Small33<T>& V, int p, int q) {
  const T a = dot(B.column[p], B.column[p]), b = dot(B.column[q], B.column[q]);
  const T g = dot(B.column[p], B.column[q]);
  const auto settled = orthogonal(a, b, g);
  if (all(settled)) return false;
  T cosine, sine;
  jacobi_rotation(a, b, g, settled, cosine, sine);
  rotate_columns(B, p, q, cosine, sine);
  rotate_columns(V, p, q, cosine, sine);
  return true;
}

template <class T>
PLIANT_KERNEL void put_longer_first(T* squared, Small33<T>& B, Small33<T>& V, int p, int q) {
  const auto mask = squared[p] < squared[q];
  const T shorter = squared[p];
  squared[p] = select(mask, squared[q], shorter);
  squared[q] = select(mask, shorter, squared[q]);
  swap_columns(mask, B, p, q);
  swap_columns(mask, V, p, q);
}

/// Of unit length; what vanishes stays.
template <class T>
PLIANT_KERNEL Small3<T> unit(const Small3<T>& a) {
  const T squared = dot(a, a);
  return (T(1.0) / root(select(squared > T(0.0), squared, T(1.0)))) * a;
}

/// A unit vector perpendicular to the unit vector u.
template <class T>
PLIANT_KERNEL Small3<T> perpendicular(const Small3<T>& u) {
  // The axis along which u is shorter than 0.8 is never nearly parallel to it.
  const auto mask = absolute(u[0]) < T(0.8);
  const Small3<T> axis{select(mask, T(1.0), T(0.0)), select(mask, T(0.0), T(1.0)), T(0.0)};
  const Small3<T> c = cross(u, axis);
  return (T(1.0) / root(dot(c, c))) * c;
}

}  // namespace detail

template <class T>
PLIANT_KERNEL Svd<T> svd(const Small33<T>& F) {
  // Scaled to entries of at most 1, so that squares of squares neither overflow nor vanish.
  T largest = absolute(F(0, 0));
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) largest = larger(largest, absolute(F(i, j)));
  const T scale = T(1.0) / larger(largest, T(1e-300));
  Small33<T> B;
  for (int j = 0; j < 3; ++j) B.column[j] = scale * F.column[j];

  // One-sided Jacobi: rotate columns of B = F V until they are orthogonal. A pair that is so already is left
  // alone to the bit, so skipping the packs that have no other changes nothing.
  Svd<T> result;
  result.V = identity<T>();
  constexpr int kSweeps = 6;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    const bool first = detail::make_orthogonal(B, result.V, 0, 1);
    const bool second = detail::make_orthogonal(B, result.V, 0, 2);
    const bool third = detail::make_orthogonal(B, result.V, 1, 2);
    if (!first && !second && !third) break;
  }

  // Longest column first.
  T squared[3];
  for (int k = 0; k < 3; ++k) squared[k] = dot(B.column[k], B.column[k]);
  detail::put_longer_first(squared, B, result.V, 0, 1);
  detail::put_longer_first(squared, B, result.V, 0, 2);
  detail::put_longer_first(squared, B, result.V, 1, 2);

  // U from the columns. A short second column may be all roundoff, and is then orthogonalised again.
  Small3<T>* u = result.U.column;
  const auto nonzero = squared[0] > T(0.0);
  u[0] = select(nonzero, (T(1.0) / root(select(nonzero, squared[0], T(1.0)))) * B.column[0],
                Small3<T>{T(1.0), T(0.0), T(0.0)});
  u[1] = detail::unit(B.column[1] - dot(u[0], B.column[1]) * u[0]);
  const auto sound = squared[1] > T(1e-8) * squared[0];
  if (!all(sound)) {
    const auto usable = squared[1] > T(1e-280);
    const Small3<T> once = select(usable, u[1], detail::perpendicular(u[0]));
    const Small3<T> twice = once - dot(u[0], once) * u[0];
    const auto apart = dot(twice, twice) > T(0.25);
    u[1] = select(sound, u[1], detail::unit(select(apart, twice, detail::perpendicular(u[0]))));
  }
  u[2] = cross(u[0], u[1]);
  for (int i = 0; i < 3; ++i) result.sigma[i] = dot(u[i], F * result.V.column[i]);
  return result;
}

/// The symmetric matrix with entries xx, xy, xz, yy, yz, zz.
template <class T>
struct Symmetric33 {
  T xx, xy, xz, yy, yz, zz;
};

template <class T>
struct Eigen33 {
  Small3<T> value;  ///< in no particular order
  Small33<T> vector;
};

namespace detail {

/// Zeroes entry (p, q) of A by a rotation, and turns Q along.
template <class T>
PLIANT_KERNEL void make_diagonal(Small33<T>& A, Small33<T>& Q, int p, int q) {
  const auto settled = absolute(A(p, q)) <= T(1e-16);
  if (all(settled)) return;
  T cosine, sine;
  jacobi_rotation(A(p, p), A(q, q), A(p, q), settled, cosine, sine);
  rotate_columns(A, p, q, cosine, sine);
  A = transpose(A);
  rotate_columns(A, p, q, cosine, sine);
  A = transpose(A);
  rotate_columns(Q, p, q, cosine, sine);
}

}  // namespace detail

template <class T>
PLIANT_KERNEL Eigen33<T> eigen_symmetric(const Symmetric33<T>& s) {
  // Two-sided Jacobi on a full copy scaled to entries of at most 1; entry (p, q) is zeroed by each rotation.
  T largest = absolute(s.xx);
  const T others[5] = {s.xy, s.xz, s.yy, s.yz, s.zz};
  for (int k = 0; k < 5; ++k) largest = larger(largest, absolute(others[k]));
  const T scale = T(1.0) / larger(largest, T(1e-300));
  Small33<T> A{{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}};
  for (int j = 0; j < 3; ++j) A.column[j] = scale * A.column[j];
  Small33<T> Q = identity<T>();
  constexpr int kSweeps = 6;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    detail::make_diagonal(A, Q, 0, 1);
    detail::make_diagonal(A, Q, 0, 2);
    detail::make_diagonal(A, Q, 1, 2);
  }
  return {{largest * A(0, 0), largest * A(1, 1), largest * A(2, 2)}, Q};
}

/// Q diag(value) Q^T
template <class T>
PLIANT_KERNEL Symmetric33<T> compose(const Eigen33<T>& e) {
  const auto entry = [&](int i, int j) {
    return e.value[0] * e.vector(i, 0) * e.vector(j, 0) + e.value[1] * e.vector(i, 1) * e.vector(j, 1) +
           e.value[2] * e.vector(i, 2) * e.vector(j, 2);
  };
  return {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
}

}  // namespace pliant
