#include "pliant/mesh/space_curve.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

constexpr int kLeastSamples = 64;  // of a spline between two points
constexpr int kMostCells = 1'000'000;
constexpr size_t kMostPoints = 100'000;

void require_positive(double value, const char* what) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(format("curve: {} must be positive and finite, not {}", what, value));
}

/// The point at s from 0 to 1 of a curve that has a formula.
Vec3 named_point(const CurveShape& shape, double s) {
  if (shape.kind == CurveKind::kLine) return {shape.length * (s - 0.5), 0, 0};
  const double turns = shape.kind == CurveKind::kCircle ? 1 : shape.turns;
  const double angle = 2 * std::numbers::pi * turns * s;
  const double height = shape.kind == CurveKind::kCircle ? 0 : shape.pitch * turns * (s - 0.5);
  return {shape.radius * std::cos(angle), height, -shape.radius * std::sin(angle)};
}

/// Between b and c, at s from 0 to 1, by the pyramid of Barry and Goldman 1988 with knots at the square roots
/// of the distances: no loops and no overshoot.
Vec3 spline_point(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double s) {
  const double ta = -std::sqrt((b - a).norm()), tc = std::sqrt((c - b).norm());
  const double td = tc + std::sqrt((d - c).norm()), t = tc * s;
  const auto mix = [t](const Vec3& p, double tp, const Vec3& q, double tq) -> Vec3 {
    return ((tq - t) * p + (t - tp) * q) / (tq - tp);
  };
  const Vec3 ab = mix(a, ta, b, 0), bc = mix(b, 0, c, tc), cd = mix(c, tc, d, td);
  return mix(mix(ab, ta, bc, tc), 0, mix(bc, 0, cd, td), tc);
}

/// The points, the first again at the end if closed; beyond the ends of an open one a mirror image of the
/// next.
std::vector<Vec3> dense_spline(const std::vector<Vec3>& points, bool closed, int cells) {
  const int n = static_cast<int>(points.size()), spans = closed ? n : n - 1;
  const int samples = std::max(kLeastSamples, 4 * cells / spans);
  const auto point = [&](int i) -> Vec3 {
    if (closed) return points[(i + n) % n];
    if (i < 0) return 2 * points[0] - points[1];
    return i < n ? points[i] : Vec3(2 * points[n - 1] - points[n - 2]);
  };
  std::vector<Vec3> dense = {points[0]};
  for (int span = 0; span < spans; ++span)
    for (int k = 1; k <= samples; ++k)
      dense.push_back(spline_point(point(span - 1), point(span), point(span + 1), point(span + 2),
                                   static_cast<double>(k) / samples));
  return dense;
}

/// Evenly spaced points on a chain of straight pieces, both ends included.
std::vector<Vec3> even_points(const std::vector<Vec3>& chain, int cells) {
  const double length = polygon_length(chain, false);
  std::vector<Vec3> result;
  double passed = 0;
  size_t piece = 0;
  for (int i = 0; i < cells; ++i) {
    const double wanted = length * i / cells;
    double own = (chain[piece + 1] - chain[piece]).norm();
    while (piece + 2 < chain.size() && passed + own < wanted) {
      passed += own;
      ++piece;
      own = (chain[piece + 1] - chain[piece]).norm();
    }
    result.push_back(chain[piece] + (chain[piece + 1] - chain[piece]) * ((wanted - passed) / own));
  }
  result.push_back(chain.back());
  return result;
}

void check_points(const CurveShape& shape) {
  const size_t least = shape.closed ? 3 : 2;
  if (shape.points.size() < least || shape.points.size() > kMostPoints)
    throw InputError(format("curve: {} points are given; it needs from {} to {}", shape.points.size(), least,
                            kMostPoints));
  for (size_t i = 0; i < shape.points.size(); ++i) {
    if (!shape.points[i].allFinite()) throw InputError(format("curve: point {} is not finite", i));
    const bool is_last = i + 1 == shape.points.size();
    if ((!is_last || shape.closed) && shape.points[i] == shape.points[is_last ? 0 : i + 1])
      throw InputError(
          format("curve: point {} and the next are the same; a closed curve must not repeat its first "
                 "point at the end",
                 i));
  }
}

/// Of the curve through the points: second order, also at open ends.
Vec3 tangent_at(std::span<const Vec3> points, bool closed, size_t i) {
  const size_t n = points.size(), last = n - 1;
  Vec3 tangent = points[std::min(i + 1, last)] - points[i == 0 ? 0 : i - 1];
  if (closed) tangent = points[(i + 1) % n] - points[(i + last) % n];
  if (!closed && n > 2 && i == 0) tangent = 4 * (points[1] - points[0]) - (points[2] - points[0]);
  if (!closed && n > 2 && i == last)
    tangent = (points[last - 2] - points[last]) - 4 * (points[last - 1] - points[last]);
  const double step = (points[i == last ? last - 1 : i + 1] - points[i]).norm();
  if (!(tangent.norm() > 1e-6 * step))
    throw InputError(format("curve: it doubles back on itself at point {}", i));
  return tangent.normalized();
}

/// Mirrored at the plane across `axis`.
Vec3 mirrored(const Vec3& v, const Vec3& axis) { return v - axis * (2 * axis.dot(v) / axis.squaredNorm()); }

/// The normal carried from one point to the next: mirrored at the plane midway between the points, then at
/// the one that brings the tangent into place.
Vec3 carried(const Vec3& normal, const Vec3& step, const Vec3& from, const Vec3& to) {
  const Vec3 halfway = mirrored(normal, step), second = to - mirrored(from, step);
  const Vec3 result = second.squaredNorm() > 1e-24 ? mirrored(halfway, second) : halfway;
  return (result - to * to.dot(result)).normalized();  // roundoff must not add up
}

Vec3 first_normal(const Vec3& tangent, const Vec3& up) {
  if (!up.allFinite() || up.norm() == 0) throw InputError("curve: 'up' must be a direction");
  const Vec3 normal = up.normalized() - tangent * tangent.dot(up.normalized());
  if (normal.norm() > 1e-6) return normal.normalized();
  int axis = 0;
  tangent.cwiseAbs().minCoeff(&axis);
  return (Vec3::Unit(axis) - tangent * tangent[axis]).normalized();
}

}  // namespace

bool CurveShape::is_closed() const {
  const bool by_points = kind == CurveKind::kPolyline || kind == CurveKind::kSpline;
  return kind == CurveKind::kCircle || (by_points && closed);
}

double polygon_length(std::span<const Vec3> points, bool closed) {
  double length = closed && !points.empty() ? (points.front() - points.back()).norm() : 0;
  for (size_t i = 1; i < points.size(); ++i) length += (points[i] - points[i - 1]).norm();
  return length;
}

std::vector<Vec3> sample_curve(const CurveShape& shape, int cells) {
  const bool closed = shape.is_closed();
  if (cells < (closed ? 3 : 1) || cells > kMostCells)
    throw InputError(format("curve: {} cells; it needs from {} to {}", cells, closed ? 3 : 1, kMostCells));
  std::vector<Vec3> points;
  if (shape.kind == CurveKind::kPolyline || shape.kind == CurveKind::kSpline) {
    check_points(shape);
    std::vector<Vec3> chain = shape.points;
    if (shape.kind == CurveKind::kSpline) {
      chain = dense_spline(shape.points, closed, cells);
    } else if (closed) {
      chain.push_back(chain.front());
    }
    if (!std::isfinite(polygon_length(chain, false))) throw InputError("curve: its points lie too far apart");
    points = even_points(chain, cells);
  } else {
    if (shape.kind == CurveKind::kLine) {
      require_positive(shape.length, "the length");
    } else {
      require_positive(shape.radius, "the radius");
    }
    if (shape.kind == CurveKind::kHelix) {
      require_positive(shape.pitch, "the pitch");
      require_positive(shape.turns, "the number of turns");
    }
    for (int i = 0; i <= cells; ++i) points.push_back(named_point(shape, static_cast<double>(i) / cells));
  }
  if (closed) points.pop_back();
  return points;
}

std::vector<CurveFrame> frames_along(std::span<const Vec3> points, bool closed, const Vec3& up) {
  if (points.size() < 2) throw InputError("curve: frames need at least two points");
  const size_t n = points.size();
  std::vector<CurveFrame> frames(n);
  for (size_t i = 0; i < n; ++i) frames[i].along = tangent_at(points, closed, i);
  frames[0].normal = first_normal(frames[0].along, up);
  for (size_t i = 1; i < n; ++i)
    frames[i].normal =
        carried(frames[i - 1].normal, points[i] - points[i - 1], frames[i - 1].along, frames[i].along);
  double angle = 0;  // by which the frames come back turned, against the first
  if (closed) {
    const Vec3 back =
        carried(frames[n - 1].normal, points[0] - points[n - 1], frames[n - 1].along, frames[0].along);
    angle = std::atan2(frames[0].normal.cross(back).dot(frames[0].along), frames[0].normal.dot(back));
  }
  for (size_t i = 0; i < n; ++i) {
    CurveFrame& frame = frames[i];
    if (i > 0 && angle != 0) {
      const double share = -angle * static_cast<double>(i) / static_cast<double>(n);
      frame.normal = Eigen::AngleAxisd(share, frame.along) * frame.normal;
    }
    frame.across = frame.normal.cross(frame.along);
  }
  return frames;
}

}  // namespace pliant
