#pragma once

// 3-vectors and 3x3 matrices of doubles or packs. Plain structs with eager operators: lazily evaluated
// expressions of packs are a trap, since a stored expression refers to packs that are gone.

#include "pliant/base/scalar.hpp"

namespace pliant {

template <class T>
struct Small3 {
  T v[3];
  PLIANT_KERNEL T& operator[](int i) { return v[i]; }
  PLIANT_KERNEL const T& operator[](int i) const { return v[i]; }
};

template <class T>
PLIANT_KERNEL Small3<T> operator+(const Small3<T>& a, const Small3<T>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
template <class T>
PLIANT_KERNEL Small3<T> operator-(const Small3<T>& a, const Small3<T>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <class T>
PLIANT_KERNEL Small3<T> operator*(const T& s, const Small3<T>& a) {
  return {s * a[0], s * a[1], s * a[2]};
}
template <class T>
PLIANT_KERNEL T dot(const Small3<T>& a, const Small3<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class T>
PLIANT_KERNEL Small3<T> cross(const Small3<T>& a, const Small3<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class Mask, class T>
PLIANT_KERNEL Small3<T> select(const Mask& mask, const Small3<T>& a, const Small3<T>& b) {
  return {select(mask, a[0], b[0]), select(mask, a[1], b[1]), select(mask, a[2], b[2])};
}

/// A 3x3 matrix by columns.
template <class T>
struct Small33 {
  Small3<T> column[3];
  PLIANT_KERNEL T& operator()(int i, int j) { return column[j][i]; }
  PLIANT_KERNEL const T& operator()(int i, int j) const { return column[j][i]; }
};

template <class T>
PLIANT_KERNEL Small33<T> operator*(const Small33<T>& a, const Small33<T>& b) {
  Small33<T> c;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) c(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
  return c;
}
template <class T>
PLIANT_KERNEL Small3<T> operator*(const Small33<T>& a, const Small3<T>& b) {
  return {a(0, 0) * b[0] + a(0, 1) * b[1] + a(0, 2) * b[2], a(1, 0) * b[0] + a(1, 1) * b[1] + a(1, 2) * b[2],
          a(2, 0) * b[0] + a(2, 1) * b[1] + a(2, 2) * b[2]};
}
template <class T>
PLIANT_KERNEL Small33<T> transpose(const Small33<T>& a) {
  Small33<T> b;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) b(i, j) = a(j, i);
  return b;
}
template <class T>
PLIANT_KERNEL Small33<T> operator-(const Small33<T>& a, const Small33<T>& b) {
  return {{a.column[0] - b.column[0], a.column[1] - b.column[1], a.column[2] - b.column[2]}};
}
template <class T>
PLIANT_KERNEL Small33<T> operator+(const Small33<T>& a, const Small33<T>& b) {
  return {{a.column[0] + b.column[0], a.column[1] + b.column[1], a.column[2] + b.column[2]}};
}
template <class T>
PLIANT_KERNEL Small33<T> zeros() {
  Small33<T> a;
  for (int j = 0; j < 3; ++j) a.column[j] = {T(0.0), T(0.0), T(0.0)};
  return a;
}
template <class T>
PLIANT_KERNEL Small33<T> identity() {
  Small33<T> a;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) a(i, j) = T(i == j ? 1.0 : 0.0);
  return a;
}

}  // namespace pliant
