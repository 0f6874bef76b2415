#pragma once

#include "pliant/base/scalar.hpp"

namespace pliant {

/// From `start` on, f' = c[0] + c[1] t + c[2] t^2 + c[3] t^3 with t = x - start, and f = value at t = 0.
struct SplinePiece {
  double start = 0, value = 0;
  double c[4] = {};
};

/// A function in pieces, by their starts; the first reaches down without end, as the last does up. Zero where
/// there are none. Refers to pieces that somebody else keeps.
struct SplinePieces {
  const SplinePiece* first = nullptr;
  int count = 0;
};

template <class T>
struct SplineValues {
  T value, slope, second;  ///< f, f', f''
};

template <class T>
PLIANT_KERNEL SplineValues<T> at(const SplinePieces& spline, const T& x) {
  if (spline.count == 0) return {T(0.0), T(0.0), T(0.0)};
  T start(spline.first->start), value(spline.first->value), c[4];
  for (int i = 0; i < 4; ++i) c[i] = T(spline.first->c[i]);
  for (int k = 1; k < spline.count; ++k) {
    const SplinePiece& piece = spline.first[k];
    const auto beyond = x >= T(piece.start);
    start = select(beyond, T(piece.start), start);
    value = select(beyond, T(piece.value), value);
    for (int i = 0; i < 4; ++i) c[i] = select(beyond, T(piece.c[i]), c[i]);
  }
  const T t = x - start;
  return {value + t * (c[0] + t * (c[1] / T(2.0) + t * (c[2] / T(3.0) + t * (c[3] / T(4.0))))),
          c[0] + t * (c[1] + t * (c[2] + t * c[3])), c[1] + t * (T(2.0) * c[2] + t * (T(3.0) * c[3]))};
}

}  // namespace pliant
