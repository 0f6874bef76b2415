#include "pliant/spatial/surface_tree.hpp"

#include "pliant/spatial/box_tree_kernel.hpp"

namespace pliant {

SurfaceTree::SurfaceTree(std::span<const std::array<int, 3>> triangles, const Vector& rest, int first_vertex)
    : tree_({triangles.empty() ? nullptr : triangles[0].data(), 3 * triangles.size()}, 3, rest,
            first_vertex) {}

std::array<int, 3> SurfaceTree::vertices_of(int triangle) const {
  const Index place = tree_.place_of(triangle);
  return {tree_.vertex(place, 0), tree_.vertex(place, 1), tree_.vertex(place, 2)};
}

ClosestPoint SurfaceTree::closest_at(Index place, const Vec3& point) const {
  ClosestPoint answer =
      closest_point(point, tree_.position(place, 0), tree_.position(place, 1), tree_.position(place, 2));
  answer.triangle = tree_.element_at(place);
  return answer;
}

ClosestPoint SurfaceTree::closest_of(int triangle, const Vec3& point) const {
  return closest_at(tree_.place_of(triangle), point);
}

bool SurfaceTree::faces_at(Index place, const Vec3& against) const {
  const Vec3 first = tree_.position(place, 0);
  return (tree_.position(place, 1) - first).cross(tree_.position(place, 2) - first).dot(against) < 0;
}

ClosestPoint SurfaceTree::closest(const Vec3& point, int excluded_vertex, double bound,
                                  const Vec3& against) const {
  const bool any = against.isZero(0);
  ClosestPoint best;
  best.squared_distance = bound;
  visit_boxes_near(tree_, point, bound, [&](Index place) {
    if (tree_.has_vertex(place, excluded_vertex)) return best.squared_distance;
    if (!any && !faces_at(place, against)) return best.squared_distance;
    const ClosestPoint here = closest_at(place, point);
    const bool closer = here.squared_distance < best.squared_distance;
    const bool as_close = here.squared_distance == best.squared_distance;
    if (closer || (as_close && (best.triangle < 0 || here.triangle < best.triangle))) best = here;
    return best.squared_distance;
  });
  return best;
}

}  // namespace pliant
