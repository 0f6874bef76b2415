// Shapes made from other shapes.

#include <algorithm>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/shape/shapes.hpp"

namespace pliant {

namespace {

/// A function of the distances of two shapes.
template <class Operation>
class Pair : public Shape {
 public:
  Pair(ShapePointer a, ShapePointer b, Operation operation, const Bounds& bounds)
      : a_(std::move(a)), b_(std::move(b)), operation_(operation), bounds_(bounds) {}
  double distance(const Vec3& p) const override { return operation_(a_->distance(p), b_->distance(p)); }
  Jet distance_jet(const Vec3& p) const override {
    return operation_(a_->distance_jet(p), b_->distance_jet(p));
  }
  Bounds bounds() const override { return bounds_; }

 private:
  ShapePointer a_, b_;
  Operation operation_;
  Bounds bounds_;
};

template <class Operation>
ShapePointer pair_of(ShapePointer a, ShapePointer b, Operation operation, const Bounds& bounds) {
  return std::make_shared<Pair<Operation>>(std::move(a), std::move(b), operation, bounds);
}

/// A function of the distance of one shape.
template <class Operation>
class Changed : public Shape {
 public:
  Changed(ShapePointer a, Operation operation, const Bounds& bounds)
      : a_(std::move(a)), operation_(operation), bounds_(bounds) {}
  double distance(const Vec3& p) const override { return operation_(a_->distance(p)); }
  Jet distance_jet(const Vec3& p) const override { return operation_(a_->distance_jet(p)); }
  Bounds bounds() const override { return bounds_; }

 private:
  ShapePointer a_;
  Operation operation_;
  Bounds bounds_;
};

template <class Operation>
ShapePointer changed(ShapePointer a, Operation operation, const Bounds& bounds) {
  return std::make_shared<Changed<Operation>>(std::move(a), operation, bounds);
}

class Mirrored : public Shape {
 public:
  Mirrored(ShapePointer a, int axis) : a_(std::move(a)), axis_(axis) {}
  double distance(const Vec3& p) const override { return a_->distance(image(p)); }
  Jet distance_jet(const Vec3& p) const override {
    Jet jet = a_->distance_jet(image(p));
    if (p[axis_] < 0) {
      jet.gradient[axis_] *= -1;
      jet.hessian.row(axis_) *= -1;
      jet.hessian.col(axis_) *= -1;
    }
    return jet;
  }
  Bounds bounds() const override {
    Bounds bounds = a_->bounds();
    const double reach = std::max(0.0, bounds.max()[axis_]);
    bounds.min()[axis_] = -reach;
    bounds.max()[axis_] = reach;
    return bounds;
  }

 private:
  Vec3 image(Vec3 p) const {
    p[axis_] = std::abs(p[axis_]);
    return p;
  }
  ShapePointer a_;
  int axis_;
};

class Moved : public Shape {
 public:
  Moved(ShapePointer a, double scale, const Mat3& turn, const Vec3& translate)
      : a_(std::move(a)), scale_(scale), turn_(turn), translate_(translate) {}
  double distance(const Vec3& p) const override { return scale_ * a_->distance(back(p)); }
  Jet distance_jet(const Vec3& p) const override {
    const Jet jet = a_->distance_jet(back(p));
    return {scale_ * jet.value, turn_ * jet.gradient, turn_ * jet.hessian * turn_.transpose() / scale_};
  }
  Bounds bounds() const override {
    const Bounds own = a_->bounds();
    if (!own.sizes().allFinite()) return own;
    const Vec3 half = scale_ / 2 * (turn_.cwiseAbs() * own.sizes());
    const Vec3 centre = scale_ * (turn_ * own.center()) + translate_;
    return {centre - half, centre + half};
  }

 private:
  Vec3 back(const Vec3& p) const { return turn_.transpose() * (p - translate_) / scale_; }
  ShapePointer a_;
  double scale_;
  Mat3 turn_;
  Vec3 translate_;
};

Bounds grown(Bounds bounds, double by) {
  bounds.min().array() -= by;
  bounds.max().array() += by;
  return bounds;
}

/// The smooth minimum that is cubic in the difference: twice differentiable where it joins the plain one.
struct Blend {
  double radius;
  template <class T>
  T operator()(const T& a, const T& b) const {
    using std::abs, std::max, std::min;
    const T share = max(T(1.0) - abs(a - b) / T(radius), T(0.0));
    return min(a, b) - share * share * share * T(radius / 6);
  }
};

}  // namespace

ShapePointer unite(ShapePointer a, ShapePointer b) {
  const Bounds bounds = a->bounds().merged(b->bounds());
  return pair_of(
      std::move(a), std::move(b),
      []<class T>(const T& x, const T& y) {
        using std::min;
        return T(min(x, y));
      },
      bounds);
}

ShapePointer subtract(ShapePointer a, ShapePointer b) {
  const Bounds bounds = a->bounds();
  return pair_of(
      std::move(a), std::move(b),
      []<class T>(const T& x, const T& y) {
        using std::max;
        return T(max(x, T(-y)));
      },
      bounds);
}

ShapePointer intersect(ShapePointer a, ShapePointer b) {
  const Bounds bounds = a->bounds().intersection(b->bounds());
  return pair_of(
      std::move(a), std::move(b),
      []<class T>(const T& x, const T& y) {
        using std::max;
        return T(max(x, y));
      },
      bounds);
}

ShapePointer blend(ShapePointer a, ShapePointer b, double radius) {
  if (!(radius > 0 && std::isfinite(radius)))
    throw InputError(format("smooth union: radius is {}; it must be positive and finite", radius));
  const Bounds bounds = grown(a->bounds().merged(b->bounds()), radius / 6);
  return pair_of(std::move(a), std::move(b), Blend{radius}, bounds);
}

ShapePointer hollow(ShapePointer a, double thickness) {
  if (!(thickness > 0 && std::isfinite(thickness)))
    throw InputError(format("shell: thickness is {}; it must be positive and finite", thickness));
  const Bounds bounds = a->bounds();
  return changed(
      std::move(a),
      [=]<class T>(const T& x) {
        using std::abs;
        return T(abs(x + T(thickness / 2)) - T(thickness / 2));
      },
      bounds);
}

ShapePointer offset(ShapePointer a, double distance) {
  if (!std::isfinite(distance))
    throw InputError(format("offset: distance is {}; it must be finite", distance));
  const Bounds bounds = grown(a->bounds(), std::max(0.0, distance));
  return changed(
      std::move(a), [=]<class T>(const T& x) { return T(x - T(distance)); }, bounds);
}

ShapePointer mirror(ShapePointer a, int axis) { return std::make_shared<Mirrored>(std::move(a), axis); }

ShapePointer moved(ShapePointer a, double scale, const Eigen::Quaterniond& turn, const Vec3& translate) {
  if (!(scale > 0 && std::isfinite(scale)))
    throw InputError(format("scale is {}; it must be positive and finite", scale));
  return std::make_shared<Moved>(std::move(a), scale, turn.normalized().toRotationMatrix(), translate);
}

}  // namespace pliant
