#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "pliant/spatial/shape.hpp"

namespace pliant {

/// A point whose coordinates are numbers or jets.
template <class T>
struct Point {
  T x, y, z;
};

/// A shape given by a formula: something that can be called with a Point of numbers and with one of jets.
template <class Formula>
class FormulaShape : public Shape {
 public:
  FormulaShape(Formula formula, const Bounds& bounds) : formula_(std::move(formula)), bounds_(bounds) {}

  double distance(const Vec3& p) const override { return formula_(Point<double>{p.x(), p.y(), p.z()}); }
  Jet distance_jet(const Vec3& p) const override {
    return formula_(Point<Jet>{Jet::coordinate(p, 0), Jet::coordinate(p, 1), Jet::coordinate(p, 2)});
  }
  Bounds bounds() const override { return bounds_; }

 private:
  Formula formula_;
  Bounds bounds_;
};

template <class Formula>
ShapePointer shape_of(Formula formula, const Vec3& half_size) {
  return std::make_shared<FormulaShape<Formula>>(std::move(formula), Bounds(-half_size, half_size));
}

template <class T>
T length(const T& a, const T& b) {
  using std::sqrt;
  return sqrt(a * a + b * b);
}
template <class T>
T length(const T& a, const T& b, const T& c) {
  using std::sqrt;
  return sqrt(a * a + b * b + c * c);
}

/// The distance from what lies between two parallel walls in one direction and is bounded by another distance
/// in the others: both negative means inside.
template <class T>
T both(const T& a, const T& b) {
  using std::max, std::min;
  const T zero(0.0);
  return min(max(a, b), zero) + length(max(a, zero), max(b, zero));
}

}  // namespace pliant
