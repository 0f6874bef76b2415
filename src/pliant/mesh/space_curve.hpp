#pragma once

#include <array>
#include <span>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

enum class CurveKind { kLine, kCircle, kHelix, kPolyline, kSpline };

/// A curve in space along which ribbons and strands are laid. Lines, circles and helices are centred at the
/// origin: a line lies along x, a circle in the plane y = 0, and a helix winds upwards around the y axis,
/// right-handed. A polyline goes straight from point to point, a spline (Catmull and Rom's, centripetal)
/// smoothly through all of them.
struct CurveShape {
  CurveKind kind = CurveKind::kLine;
  double length = 1;              ///< of a line, m
  double radius = 0.1;            ///< of a circle or helix, m
  double pitch = 0.05;            ///< height of a turn of a helix, m
  double turns = 5;               ///< of a helix
  std::vector<Vec3> points = {};  ///< of a polyline or spline
  bool closed = false;            ///< whether a polyline or spline goes back from its last point to the first

  bool is_closed() const;
};

/// Points along the curve, evenly spaced by arc length (along a spline to a thousandth): cells + 1 of them
/// from end to end; of a closed curve `cells`, the first following on the last. Throws InputError where the
/// curve has no length, a number is not finite, or there are fewer than 1 cell (3 on a closed curve).
std::vector<Vec3> sample_curve(const CurveShape& shape, int cells);

/// The length of the polygon through the points.
double polygon_length(std::span<const Vec3> points, bool closed);

/// Three unit vectors at a point of a curve: along x across = normal.
struct CurveFrame {
  Vec3 along, across, normal;
};

/// Frames along a curve that turn around it as little as possible (Wang, Juettler, Zheng and Liu 2008, by
/// double reflection): on a curve in a plane they do not turn at all. The first normal is as near to `up` as
/// possible. On a closed curve the frames come back turned by some angle; that angle is taken out evenly, so
/// that the first frame follows on the last. Points must not repeat. Throws InputError where the curve
/// doubles back on itself.
std::vector<CurveFrame> frames_along(std::span<const Vec3> points, bool closed, const Vec3& up);

}  // namespace pliant
