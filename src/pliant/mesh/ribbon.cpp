#include "pliant/mesh/ribbon.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

constexpr double kMostRibbonVertices = 1e7;

void check_ribbon(const RibbonShape& shape) {
  if (!(shape.width > 0) || !std::isfinite(shape.width) || !std::isfinite(shape.twist))
    throw InputError(format("ribbon: the width must be positive, not {}, and the twist finite", shape.width));
  if (shape.cells[1] < 1)
    throw InputError(format("ribbon: {} cells across; it needs at least 1", shape.cells[1]));
  if ((shape.cells[0] + 1.0) * (shape.cells[1] + 1.0) > kMostRibbonVertices)
    throw InputError(format("ribbon: {} x {} cells are too many", shape.cells[0], shape.cells[1]));
  if (!shape.curve.is_closed()) return;
  if (shape.rest == RibbonRest::kFlat)
    throw InputError("ribbon: a closed one cannot be flat at rest; choose the shape it is made in");
  if (2 * shape.twist != std::round(2 * shape.twist))
    throw InputError(format(
        "ribbon: the ends of a closed one meet only after half turns; the twist is {} turns", shape.twist));
}

/// Where the vertices across lie: from one edge to the other.
double place_across(const RibbonShape& shape, int j) {
  return shape.width * ((2.0 * j - shape.cells[1]) / (2.0 * shape.cells[1]));
}

std::vector<Vec3> swept(const RibbonShape& shape, const std::vector<Vec3>& points) {
  const std::vector<CurveFrame> frames = frames_along(points, shape.curve.is_closed(), shape.up);
  std::vector<Vec3> vertices;
  for (size_t i = 0; i < points.size(); ++i) {
    const double angle =
        2 * std::numbers::pi * shape.twist * static_cast<double>(i) / static_cast<double>(shape.cells[0]);
    const Vec3 across = std::cos(angle) * frames[i].across + std::sin(angle) * frames[i].normal;
    for (int j = 0; j <= shape.cells[1]; ++j) vertices.push_back(points[i] - place_across(shape, j) * across);
  }
  return vertices;
}

/// The straight strip, in the plane y = 0, along x and facing up.
std::vector<Vec3> flat_strip(const RibbonShape& shape, double length) {
  std::vector<Vec3> vertices;
  for (int i = 0; i <= shape.cells[0]; ++i) {
    const double x = length * ((2.0 * i - shape.cells[0]) / (2.0 * shape.cells[0]));
    for (int j = 0; j <= shape.cells[1]; ++j) vertices.emplace_back(x, 0, place_across(shape, j));
  }
  return vertices;
}

std::vector<std::array<int, 3>> strip_triangles(const RibbonShape& shape) {
  const int along = shape.cells[0], across = shape.cells[1];
  const bool closed = shape.curve.is_closed();
  const bool turned_over = closed && std::fmod(std::abs(2 * shape.twist), 2) == 1;
  const auto vertex = [&](int i, int j) {
    if (!closed || i < along) return i * (across + 1) + j;
    return turned_over ? across - j : j;
  };
  std::vector<std::array<int, 3>> triangles;
  for (int i = 0; i < along; ++i) {
    for (int j = 0; j < across; ++j) {
      const int a = vertex(i, j), b = vertex(i, j + 1), c = vertex(i + 1, j + 1), d = vertex(i + 1, j);
      if (((i ^ j) & 1) == 0) {
        triangles.push_back({a, b, c});
        triangles.push_back({a, c, d});
      } else {
        triangles.push_back({a, b, d});
        triangles.push_back({b, c, d});
      }
    }
  }
  return triangles;
}

}  // namespace

Ribbon make_ribbon(const RibbonShape& shape) {
  check_ribbon(shape);
  const std::vector<Vec3> points = sample_curve(shape.curve, shape.cells[0]);
  Ribbon ribbon;
  ribbon.start = swept(shape, points);
  ribbon.rest.vertices =
      shape.rest == RibbonRest::kFlat ? flat_strip(shape, polygon_length(points, false)) : ribbon.start;
  ribbon.rest.triangles = strip_triangles(shape);
  return ribbon;
}

}  // namespace pliant
