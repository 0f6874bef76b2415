#include "pliant/spatial/tet_tree.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/spatial/box_tree_kernel.hpp"

namespace pliant {

namespace {

std::array<Vec3, 4> corners_of_tet(const BoxTree& tree, Index place) {
  return {tree.position(place, 0), tree.position(place, 1), tree.position(place, 2), tree.position(place, 3)};
}

/// Six times the volumes of the tetrahedra that have a point in place of each corner.
std::array<double, 4> volumes_from(const std::array<Vec3, 4>& corners, const Vec3& point) {
  const auto& [a, b, c, d] = corners;
  const Vec3 pa = a - point, pb = b - point, pc = c - point, pd = d - point;
  const Vec3 ab = pa.cross(pb), cd = pc.cross(pd);
  return {pb.dot(cd), -pa.dot(cd), pd.dot(ab), -pc.dot(ab)};
}

/// Whether the point is beyond one of the faces by more than the margin.
bool is_beyond_a_face(const std::array<Vec3, 4>& corners, const Vec3& point, double margin) {
  const std::array<double, 4> volumes = volumes_from(corners, point);
  const double orientation = volumes[0] + volumes[1] + volumes[2] + volumes[3] > 0 ? 1 : -1;
  for (int i = 0; i < 4; ++i) {
    if (!(orientation * volumes[i] < 0)) continue;
    const Vec3 &p = corners[(i + 1) % 4], &q = corners[(i + 2) % 4], &r = corners[(i + 3) % 4];
    if (volumes[i] * volumes[i] > margin * margin * (q - p).cross(r - p).squaredNorm()) return true;
  }
  return false;
}

}  // namespace

/// By the volumes (six times) of the four tetrahedra that have the point in place of a corner. Within the box
/// around the corners the roundoff of such a volume is below 48 units of that of the box, so that allowing
/// for it leaves no gap between neighbours.
bool tet_contains(const std::array<Vec3, 4>& corners, const Vec3& point) {
  const auto& [a, b, c, d] = corners;
  const Vec3 low = a.cwiseMin(b).cwiseMin(c.cwiseMin(d)), high = a.cwiseMax(b).cwiseMax(c.cwiseMax(d));
  if (!((low.array() <= point.array()).all() && (point.array() <= high.array()).all())) return false;
  const double roundoff = 1e-14 * (high - low).prod();
  const std::array<double, 4> volumes = volumes_from(corners, point);
  const double whole = volumes[0] + volumes[1] + volumes[2] + volumes[3];
  constexpr double kHasVolume = 100;  // times the roundoff
  if (!(std::abs(whole) > kHasVolume * roundoff)) return false;
  const double orientation = whole > 0 ? 1 : -1;
  return std::all_of(std::begin(volumes), std::end(volumes),
                     [&](double volume) { return orientation * volume >= -roundoff; });
}

TetTree::TetTree(std::span<const std::array<int, 4>> tets, const Vector& rest, int first_vertex)
    : tree_({tets.empty() ? nullptr : tets[0].data(), 4 * tets.size()}, 4, rest, first_vertex) {}

void TetTree::for_each_containing(const Vec3& point, FunctionRef<bool(int)> visit) const {
  visit_boxes_that_hold(tree_, {point, 0}, [&](Index place) {
    return !tet_contains(corners_of_tet(tree_, place), point) || visit(tree_.element_at(place));
  });
}

int TetTree::first_containing(const Vec3& point, int excluded_vertex) const {
  int found = -1;
  visit_boxes_that_hold(tree_, {point, 0}, [&](Index place) {
    if (tree_.has_vertex(place, excluded_vertex) || !tet_contains(corners_of_tet(tree_, place), point))
      return true;
    found = tree_.element_at(place);
    return false;
  });
  return found;
}

bool TetTree::may_come_within(double margin, const Vec3& point, int excluded_vertex) const {
  bool near = false;
  visit_boxes_that_hold(tree_, {point, margin}, [&](Index place) {
    near = !tree_.has_vertex(place, excluded_vertex) &&
           !is_beyond_a_face(corners_of_tet(tree_, place), point, margin);
    return !near;
  });
  return near;
}

}  // namespace pliant
