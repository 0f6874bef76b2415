#include "pliant/mesh/irregular_mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "pliant/base/random.hpp"
#include "pliant/mesh/delaunay.hpp"

namespace pliant {

namespace {

constexpr std::uint64_t kDartSeed = 20240607;
constexpr double kApart = 0.76;  // the least distance of points, in spacings: as many as a lattice would have
constexpr double kRim = 0.6;     // the least distance from the outline, in spacings
constexpr double kThrows = 60;   // for each point that there is room for
constexpr double kGoodAngle = 25 * std::numbers::pi / 180;
constexpr int kMostRounds = 60;

using FlatPoint = Eigen::Vector2d;

/// Points that keep their distance, found through a grid whose cells have room for one each.
class SparsePoints {
 public:
  SparsePoints(const Eigen::AlignedBox2d& box, double apart)
      : low_(box.min()),
        apart_(apart),
        cell_(apart / std::sqrt(2.0)),
        columns_(static_cast<Index>(box.sizes().x() / cell_) + 1),
        rows_(static_cast<Index>(box.sizes().y() / cell_) + 1),
        grid_(static_cast<size_t>(columns_ * rows_), FlatPoint::Constant(NAN)) {}

  bool has_room_for(const FlatPoint& point) const {
    const auto [column, row] = place(point);
    for (Index j = std::max(row - 2, Index{0}); j <= std::min(row + 2, rows_ - 1); ++j)
      for (Index i = std::max(column - 2, Index{0}); i <= std::min(column + 2, columns_ - 1); ++i)
        if ((grid_[i + columns_ * j] - point).squaredNorm() < apart_ * apart_)
          return false;  // not so for NaN
    return true;
  }

  void add(const FlatPoint& point) {
    const auto [column, row] = place(point);
    grid_[column + columns_ * row] = point;
  }

 private:
  std::pair<Index, Index> place(const FlatPoint& point) const {
    return {std::clamp(static_cast<Index>((point.x() - low_.x()) / cell_), Index{0}, columns_ - 1),
            std::clamp(static_cast<Index>((point.y() - low_.y()) / cell_), Index{0}, rows_ - 1)};
  }

  FlatPoint low_;
  double apart_, cell_;
  Index columns_, rows_;
  std::vector<FlatPoint> grid_;
};

/// Throws darts; those that hit near another are taken back (Cook 1986). The points go behind those of the
/// outline.
void add_points_within(std::vector<FlatPoint>& points, double spacing,
                       const std::function<double(const FlatPoint&)>& depth) {
  Eigen::AlignedBox2d box;
  for (const FlatPoint& point : points) box.extend(point);
  SparsePoints taken(box, kApart * spacing);
  for (const FlatPoint& point : points) taken.add(point);
  Random random(kDartSeed);
  const Index throws = static_cast<Index>(kThrows * (box.volume() / (spacing * spacing) + 1));
  for (Index i = 0; i < throws; ++i) {
    const double u = random.uniform(), v = random.uniform();
    const FlatPoint point = box.min() + FlatPoint(u, v).cwiseProduct(box.sizes());
    if (!(depth(point) > kRim * spacing) || !taken.has_room_for(point)) continue;
    taken.add(point);
    points.push_back(point);
  }
}

/// Every free point goes to the centroid of the triangles around it.
void relax(PlaneMesh& mesh, size_t fixed) {
  struct Surroundings {
    FlatPoint sum = FlatPoint::Zero();
    double area = 0;
  };
  std::vector<Surroundings> around(mesh.points.size());
  for (const auto& t : mesh.triangles) {
    const FlatPoint &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
    const double area = (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
    for (const int corner : t) {
      around[corner].sum += area * (a + b + c) / 3;
      around[corner].area += area;
    }
  }
  for (size_t p = fixed; p < mesh.points.size(); ++p)
    if (around[p].area > 0) mesh.points[p] = around[p].sum / around[p].area;
}

}  // namespace

double smallest_angle(const PlaneMesh& mesh) {
  double smallest = std::numbers::pi;
  for (const auto& t : mesh.triangles) {
    for (size_t k = 0; k < 3; ++k) {
      const FlatPoint a = mesh.points[t[(k + 1) % 3]] - mesh.points[t[k]];
      const FlatPoint b = mesh.points[t[(k + 2) % 3]] - mesh.points[t[k]];
      smallest = std::min(smallest, std::atan2(std::abs(a.x() * b.y() - a.y() * b.x()), a.dot(b)));
    }
  }
  return smallest;
}

PlaneMesh fill_irregularly(const std::vector<FlatPoint>& outline, double spacing,
                           const std::function<double(const FlatPoint&)>& depth) {
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
