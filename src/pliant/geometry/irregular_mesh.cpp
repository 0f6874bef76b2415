#include "pliant/geometry/irregular_mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "pliant/base/random.hpp"
#include "pliant/geometry/delaunay.hpp"

namespace pliant {

namespace {

constexpr std::uint64_t kLatticeSeed = 20240607;
constexpr double kJitter = 0.3;  // of the spacing, each way
constexpr double kRim = 0.6;     // no point within is nearer to the outline, in spacings
constexpr double kGoodAngle = 25 * std::numbers::pi / 180;
constexpr int kMostRounds = 60;

using Point = Eigen::Vector2d;

/// Behind those of the outline.
void add_points_within(std::vector<Point>& points, double spacing,
                       const std::function<double(const Point&)>& depth) {
  Eigen::AlignedBox2d box;
  for (const Point& point : points) box.extend(point);
  const double rise = spacing * std::sqrt(3.0) / 2;
  // Laid out from the middle, so that the mesh has no side where the lattice begins.
  const int columns = static_cast<int>(box.sizes().x() / spacing / 2) + 2;
  const int rows = static_cast<int>(box.sizes().y() / rise / 2) + 2;
  Random random(kLatticeSeed);
  for (int j = -rows; j <= rows; ++j) {
    for (int i = -columns; i <= columns; ++i) {
      Point point = box.center() + Point(spacing * (i + (j % 2 == 0 ? 0.25 : -0.25)), rise * j);
      point.x() += kJitter * spacing * (2 * random.uniform() - 1);
      point.y() += kJitter * spacing * (2 * random.uniform() - 1);
      if (depth(point) > kRim * spacing) points.push_back(point);
    }
  }
}

/// Every free point goes to the centroid of the triangles around it.
void relax(PlaneMesh& mesh, size_t fixed) {
  std::vector<Point> sums(mesh.points.size(), Point::Zero());
  std::vector<double> areas(mesh.points.size(), 0.0);
  for (const auto& t : mesh.triangles) {
    const Point &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
    const double area = (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
    for (const int corner : t) {
      sums[corner] += area * (a + b + c) / 3;
      areas[corner] += area;
    }
  }
  for (size_t p = fixed; p < mesh.points.size(); ++p)
    if (areas[p] > 0) mesh.points[p] = sums[p] / areas[p];
}

}  // namespace

double smallest_angle(const PlaneMesh& mesh) {
  double smallest = std::numbers::pi;
  for (const auto& t : mesh.triangles) {
    for (size_t k = 0; k < 3; ++k) {
      const Point a = mesh.points[t[(k + 1) % 3]] - mesh.points[t[k]];
      const Point b = mesh.points[t[(k + 2) % 3]] - mesh.points[t[k]];
      smallest = std::min(smallest, std::atan2(std::abs(a.x() * b.y() - a.y() * b.x()), a.dot(b)));
    }
  }
  return smallest;
}

PlaneMesh fill_irregularly(const std::vector<Point>& outline, double spacing,
                           const std::function<double(const Point&)>& depth) {
  PlaneMesh mesh{outline, {}};
  add_points_within(mesh.points, spacing, depth);
  mesh.triangles = delaunay_triangles(mesh.points);
  PlaneMesh best = mesh;
  double best_angle = smallest_angle(mesh);
  for (int round = 0; round < kMostRounds && best_angle < kGoodAngle; ++round) {
    relax(mesh, outline.size());
    mesh.triangles = delaunay_triangles(mesh.points);
    const double angle = smallest_angle(mesh);
    if (angle <= best_angle) continue;
    best = mesh;
    best_angle = angle;
  }
  return best;
}

}  // namespace pliant
