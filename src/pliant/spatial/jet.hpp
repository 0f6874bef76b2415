#pragma once

#include <cmath>

#include "pliant/base/types.hpp"

namespace pliant {

/// A function of a point in space, known at one point to second order: its value, gradient and Hessian.
/// Arithmetic on jets carries all three along, so that a distance written once as a formula of x, y and z
/// gives its derivatives exactly. Where a root has none, at zero, the derivatives are taken as zero.
struct Jet {
  double value = 0;
  Vec3 gradient = Vec3::Zero();
  Mat3 hessian = Mat3::Zero();

  Jet() = default;
  Jet(double constant) : value(constant) {}
  Jet(double v, const Vec3& g, const Mat3& h) : value(v), gradient(g), hessian(h) {}

  /// The coordinate `axis` of the point.
  static Jet coordinate(const Vec3& point, int axis) { return {point[axis], Vec3::Unit(axis), Mat3::Zero()}; }
};

inline double value_of(double a) { return a; }
inline double value_of(const Jet& a) { return a.value; }

inline Jet operator-(const Jet& a) { return {-a.value, -a.gradient, -a.hessian}; }
inline Jet operator+(const Jet& a, const Jet& b) {
  return {a.value + b.value, a.gradient + b.gradient, a.hessian + b.hessian};
}
inline Jet operator-(const Jet& a, const Jet& b) {
  return {a.value - b.value, a.gradient - b.gradient, a.hessian - b.hessian};
}
inline Jet operator*(const Jet& a, const Jet& b) {
  const Mat3 mixed = a.gradient * b.gradient.transpose();
  return {a.value * b.value, a.value * b.gradient + b.value * a.gradient,
          a.value * b.hessian + b.value * a.hessian + mixed + mixed.transpose()};
}

/// f(a) for a function of one number with the derivatives f1 and f2 there.
inline Jet chain(const Jet& a, double f, double f1, double f2) {
  return {f, f1 * a.gradient, f1 * a.hessian + f2 * (a.gradient * a.gradient.transpose())};
}
inline Jet operator/(const Jet& a, const Jet& b) {
  const double q = 1 / b.value;
  return a * chain(b, q, -q * q, 2 * q * q * q);
}
inline Jet sqrt(const Jet& a) {
  const double root = std::sqrt(a.value);
  if (root == 0) return {};
  return chain(a, root, 0.5 / root, -0.25 / (root * a.value));
}
inline Jet abs(const Jet& a) { return a.value < 0 ? -a : a; }
inline Jet max(const Jet& a, const Jet& b) { return a.value < b.value ? b : a; }
inline Jet min(const Jet& a, const Jet& b) { return b.value < a.value ? b : a; }

}  // namespace pliant
