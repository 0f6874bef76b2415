#include "pliant/mesh/region.hpp"

#include <algorithm>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

double tolerance(std::span<const Vec3> points) {
  if (points.empty()) return 0;
  Vec3 low = points[0], high = points[0];
  for (const Vec3& x : points) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return 1e-9 * (high - low).norm();
}

template <class Inside>
std::vector<int> select(std::span<const Vec3> points, Inside inside) {
  std::vector<int> selected;
  for (size_t v = 0; v < points.size(); ++v) {
    if (inside(points[v])) selected.push_back(static_cast<int>(v));
  }
  return selected;
}

struct Selector {
  std::span<const Vec3> points;

  std::vector<int> operator()(const BoxRegion& box) const {
    const Vec3 margin = Vec3::Constant(tolerance(points));
    const Vec3 low = box.min - margin, high = box.max + margin;
    return select(points, [&](const Vec3& x) {
      return (x.array() >= low.array()).all() && (x.array() <= high.array()).all();
    });
  }

  std::vector<int> operator()(const SphereRegion& sphere) const {
    const double reach = sphere.radius + tolerance(points);
    return select(points, [&](const Vec3& x) { return (x - sphere.center).norm() <= reach; });
  }

  std::vector<int> operator()(const PlaneRegion& plane) const {
    const Vec3 normal = plane.normal.stableNormalized();
    if (!(normal.norm() > 0.5)) {
      throw InputError(format("plane region: the normal ({}, {}, {}) has no direction", plane.normal.x(),
                              plane.normal.y(), plane.normal.z()));
    }
    const double margin = tolerance(points);
    return select(points, [&](const Vec3& x) { return normal.dot(x - plane.point) >= -margin; });
  }

  std::vector<int> operator()(const IndexRegion& region) const {
    std::vector<Complaint> complaints;
    for (const int index : region.indices) {
      if (index >= 0 && static_cast<size_t>(index) < points.size()) continue;
      complaints.push_back(
          {"", 0, 0,
           format("region: vertex {} does not exist; there are {}, counted from 0", index, points.size())});
    }
    if (!complaints.empty()) throw InputError(std::move(complaints));
    std::vector<int> selected = region.indices;
    std::sort(selected.begin(), selected.end());
    selected.erase(std::unique(selected.begin(), selected.end()), selected.end());
    return selected;
  }
};

}  // namespace

std::vector<int> select_vertices(const Region& region, std::span<const Vec3> points) {
  return std::visit(Selector{points}, region);
}

}  // namespace pliant
