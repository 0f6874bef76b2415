#include "pliant/shape/shapes.hpp"

#include <limits>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/shape/formula_shape.hpp"

namespace pliant {

namespace {

void require_positive(std::string_view shape, std::string_view key, double size) {
  if (!(size > 0 && std::isfinite(size)))
    throw InputError(format("{}: {} is {}; it must be positive and finite", shape, key, size));
}

void require_positive(std::string_view shape, std::string_view key, const Vec3& size) {
  for (const double side : size) require_positive(shape, key, side);
}

void require(bool holds, std::string message) {
  if (!holds) throw InputError(std::move(message));
}

/// The ellipsoid with these radii. The closest point q of the surface to p satisfies q_i (t + e_i^2) = e_i^2
/// p_i for one number t, the largest root of g(t) = sum (e_i p_i / (t + e_i^2))^2 - 1 (Eberly, Distance from
/// a point to an ellipse), and the distance is t |p_i / (t + e_i^2)|, which is smooth through the surface,
/// where t is zero.
struct EllipsoidFormula {
  Vec3 radii;

  template <class T>
  T operator()(const Point<T>& p) const {
    using std::sqrt;
    T at[3] = {p.x, p.y, p.z};
    leave_focal_plane(at);
    T t(root(Vec3(value_of(at[0]), value_of(at[1]), value_of(at[2]))));
    // From the root, one step of Newton's method makes the first derivatives of t exact, another the second.
    for (int repeat = 0; repeat < 2; ++repeat) {
      T g(-1.0), slope(0.0);
      for (int i = 0; i < 3; ++i) {
        const T denominator = t + T(radii[i] * radii[i]);
        const T share = T(radii[i]) * at[i] / denominator;
        g = g + share * share;
        slope = slope - T(2.0) * share * share / denominator;
      }
      t = t - g / slope;
    }
    T sum(0.0);
    for (int i = 0; i < 3; ++i) {
      const T share = at[i] / (t + T(radii[i] * radii[i]));
      sum = sum + share * share;
    }
    return t * sqrt(sum);
  }

  /// Inside, where the shortest axis is almost zero, two points of the surface may be equally close, and the
  /// formulas divide zero by zero: one of them is chosen, at the price of seven digits instead of sixteen.
  template <class T>
  void leave_focal_plane(T* at) const {
    int shortest = 0;
    const double smallest = radii.minCoeff(&shortest);
    constexpr double kSmall = 1e-9;
    if (std::abs(value_of(at[shortest])) >= kSmall * smallest) return;
    double others = -1;
    for (int i = 0; i < 3; ++i) {
      const double denominator = radii[i] * radii[i] - smallest * smallest;
      if (i == shortest) continue;
      if (denominator > 0) {
        others += std::pow(radii[i] * value_of(at[i]) / denominator, 2);
      } else if (value_of(at[i]) != 0) {
        return;
      }
    }
    if (others < 0) at[shortest] = at[shortest] + T(kSmall * smallest);
  }

  /// The largest root of g: convex and falling there, so that Newton's method from below never overshoots.
  double root(const Vec3& p) const {
    double t = (-radii.array().square() + radii.array() * p.array().abs()).maxCoeff();
    for (int iteration = 0; iteration < 100; ++iteration) {
      double g = -1, slope = 0;
      for (int i = 0; i < 3; ++i) {
        if (p[i] == 0) continue;  // its denominator may be zero at the start
        const double denominator = t + radii[i] * radii[i];
        const double share = radii[i] * p[i] / denominator;
        g += share * share;
        slope -= 2 * share * share / denominator;
      }
      const double next = t - g / slope;
      if (!(next > t)) break;
      t = next;
    }
    return t;
  }
};

/// A convex profile in the half plane (r, y): the disc of radius `bottom` at -half, that of radius `top` at
/// +half, and the slant between them.
struct ConeFormula {
  double bottom, top, half;

  template <class T>
  T operator()(const Point<T>& p) const {
    using std::abs, std::max;
    const T r = length(p.x, p.z);
    const Vec3 along = Vec3(top - bottom, 2 * half, 0).normalized();
    const T slant = (r - T(bottom)) * T(along.y()) - (p.y + T(half)) * T(along.x());
    const T cap = abs(p.y) - T(half);
    if (value_of(slant) <= 0 && value_of(cap) <= 0) return max(slant, cap);
    const double way = (value_of(r) - bottom) * along.x() + (value_of(p.y) + half) * along.y();
    if (value_of(slant) > 0 && way > 0 && way < std::hypot(top - bottom, 2 * half)) return slant;
    const double rim = value_of(p.y) > 0 ? top : bottom;
    if (value_of(r) <= rim) return cap;
    return length(r - T(rim), p.y - T(value_of(p.y) > 0 ? half : -half));
  }
};

}  // namespace

ShapePointer make_sphere(double radius) {
  require_positive("sphere", "radius", radius);
  return shape_of([=]<class T>(const Point<T>& p) { return length(p.x, p.y, p.z) - T(radius); },
                  Vec3::Constant(radius));
}

ShapePointer make_ellipsoid(const Vec3& radii) {
  require_positive("ellipsoid", "radii", radii);
  return shape_of(EllipsoidFormula{radii}, radii);
}

ShapePointer make_torus(double major, double minor) {
  require_positive("torus", "major", major);
  require_positive("torus", "minor", minor);
  require(minor < major, format("torus: minor is {} and major {}; minor must be smaller", minor, major));
  return shape_of(
      [=]<class T>(const Point<T>& p) { return length(length(p.x, p.z) - T(major), p.y) - T(minor); },
      Vec3(major + minor, minor, major + minor));
}

ShapePointer make_capsule(double length_of_axis, double radius) {
  require_positive("capsule", "length", length_of_axis);
  require_positive("capsule", "radius", radius);
  const double half = length_of_axis / 2;
  return shape_of(
      [=]<class T>(const Point<T>& p) {
        using std::max, std::min;
        const T beyond = p.y - max(T(-half), min(T(half), p.y));
        return length(p.x, beyond, p.z) - T(radius);
      },
      Vec3(radius, half + radius, radius));
}

ShapePointer make_cylinder(double radius, double height) {
  require_positive("cylinder", "radius", radius);
  require_positive("cylinder", "height", height);
  return shape_of(
      [=]<class T>(const Point<T>& p) {
        using std::abs;
        return both(T(length(p.x, p.z) - T(radius)), T(abs(p.y) - T(height / 2)));
      },
      Vec3(radius, height / 2, radius));
}

ShapePointer make_cone(double bottom, double top, double height) {
  require_positive("cone", "radius", bottom);
  require_positive("cone", "height", height);
  require(top >= 0 && std::isfinite(top), format("cone: top is {}; it must be zero or positive", top));
  const double widest = std::max(bottom, top);
  return shape_of(ConeFormula{bottom, top, height / 2}, Vec3(widest, height / 2, widest));
}

ShapePointer make_box_shape(const Vec3& size, double round) {
  require_positive("box", "size", size);
  require(round >= 0 && 2 * round <= size.minCoeff(),
          format("box: round is {}; it must lie between 0 and half the smallest side, {}", round,
                 size.minCoeff() / 2));
  const Vec3 half = size / 2 - Vec3::Constant(round);
  return shape_of(
      [=]<class T>(const Point<T>& p) {
        using std::abs, std::max, std::min;
        const T x = abs(p.x) - T(half.x()), y = abs(p.y) - T(half.y()), z = abs(p.z) - T(half.z());
        const T zero(0.0);
        return T(min(max(x, max(y, z)), zero) + length(max(x, zero), max(y, zero), max(z, zero)) - T(round));
      },
      size / 2);
}

ShapePointer make_plate(const Vec3& size, double hole) {
  require_positive("plate", "size", size);
  require_positive("plate", "hole", hole);
  require(2 * hole < std::min(size.x(), size.z()),
          format("plate: the hole of radius {} reaches the sides; it must be less than {}", hole,
                 std::min(size.x(), size.z()) / 2));
  return shape_of(
      [=]<class T>(const Point<T>& p) {
        using std::abs, std::max;
        const T sides = both(T(abs(p.x) - T(size.x() / 2)), T(abs(p.z) - T(size.z() / 2)));
        const T seen_from_above = max(sides, T(T(hole) - length(p.x, p.z)));
        return both(seen_from_above, T(abs(p.y) - T(size.y() / 2)));
      },
      size / 2);
}

ShapePointer make_bowl(double radius, double thickness, double rim) {
  require_positive("bowl", "radius", radius);
  require_positive("bowl", "thickness", thickness);
  require(thickness < radius,
          format("bowl: thickness is {} and radius {}; it must be thinner", thickness, radius));
  const double middle = radius - thickness / 2;
  require(std::abs(rim) < middle,
          format("bowl: rim is {}; its height must lie between {} and {}", rim, -middle, middle));
  const double rim_radius = std::sqrt(middle * middle - rim * rim);
  return shape_of(
      [=]<class T>(const Point<T>& p) {
        using std::abs;
        const T r = length(p.x, p.z), from_centre = length(r, p.y);
        const bool over_the_rim = value_of(p.y) * middle > rim * value_of(from_centre);
        const T away =
            over_the_rim ? length(T(r - T(rim_radius)), T(p.y - T(rim))) : T(abs(from_centre - T(middle)));
        return T(away - T(thickness / 2));
      },
      Vec3::Constant(radius));
}

ShapePointer make_half_space(const Vec3& normal) {
  require(normal.allFinite() && normal.norm() > 0,
          std::string("plane: normal has no length; give a direction like [0, 1, 0]"));
  const Vec3 n = normal.normalized();
  return shape_of(
      [=]<class T>(const Point<T>& p) { return T(T(n.x()) * p.x + T(n.y()) * p.y + T(n.z()) * p.z); },
      Vec3::Constant(std::numeric_limits<double>::infinity()));
}

}  // namespace pliant
