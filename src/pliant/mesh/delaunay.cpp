// Bowyer 1981, Watson 1981: points are put in one after the other; the triangles whose circle holds the new
// point make a hole, which is filled by triangles from its rim to the point. Outside, every edge of the hull
// has a triangle with a corner at infinity, whose "circle" is the half plane beyond the edge and the edge
// itself: so the hull needs no special case, even with points in a row on it.

#include "pliant/mesh/delaunay.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/base/curve.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

__extension__ typedef __int128 Wide;  // NOLINT: an alias declaration warns

constexpr double kGridSteps = 1 << 26;  // differences have 27 bits: the product of 4 and their sums 112

struct GridPoint {
  std::int64_t x, y;
  bool operator==(const GridPoint&) const = default;
};

/// Twice the area of the triangle, positive where it turns left.
std::int64_t turn_of(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Whether p lies inside the circle through the corners of a triangle that turns left.
bool in_circle(const GridPoint& a, const GridPoint& b, const GridPoint& c, const GridPoint& p) {
  const auto height = [&](const GridPoint& q) {
    return Wide{(q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y)};
  };
  return height(a) * turn_of(p, b, c) + height(b) * turn_of(p, c, a) + height(c) * turn_of(p, a, b) > 0;
}

bool strictly_between(const GridPoint& a, const GridPoint& b, const GridPoint& p) {
  return (p.x - a.x) * (b.x - p.x) + (p.y - a.y) * (b.y - p.y) > 0;
}

class Triangulation {
 public:
  explicit Triangulation(std::vector<GridPoint> points)
      : points_(std::move(points)),
        infinity_(static_cast<int>(points_.size())),
        begins_at_(points_.size() + 1) {}

  /// Three points that are not in a row.
  void begin(int a, int b, int c) {
    if (turn_of(points_[a], points_[b], points_[c]) < 0) std::swap(b, c);
    triangles_ = {{{a, b, c}, {1, 2, 3}},
                  {{infinity_, c, b}, {0, 3, 2}},
                  {{infinity_, a, c}, {0, 1, 3}},
                  {{infinity_, b, a}, {0, 2, 1}}};
  }

  void insert(int p) {
    find_hole(p);
    // The rim of the hole is a closed chain of edges: the triangle that begins where one ends is its
    // neighbour.
    std::vector<int> free = hole_;
    for (Edge& edge : rim_) {
      if (free.empty()) {
        free.push_back(static_cast<int>(triangles_.size()));
        triangles_.emplace_back();
      }
      edge.inside = free.back();
      free.pop_back();
      triangles_[edge.inside] = {{edge.begin, edge.end, p}, {0, 0, edge.outside}};
      begins_at_[edge.begin] = edge.inside;
      auto& back = triangles_[edge.outside];
      for (int k = 0; k < 3; ++k)
        if (back.corners[k] != edge.begin && back.corners[k] != edge.end) back.across[k] = edge.inside;
    }
    for (const Edge& edge : rim_) {
      const int next = begins_at_[edge.end];
      triangles_[edge.inside].across[0] = next;
      triangles_[next].across[1] = edge.inside;
    }
    for (const int t : hole_) in_hole_[t] = false;
    last_ = rim_.back().inside;
  }

  std::vector<std::array<int, 3>> finite_triangles() const {
    std::vector<std::array<int, 3>> result;
    for (const Triangle& triangle : triangles_) {
      std::array<int, 3> corners = triangle.corners;
      std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
      if (*std::max_element(corners.begin(), corners.end()) < infinity_) result.push_back(corners);
    }
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  struct Triangle {
    std::array<int, 3> corners, across;  // across[k]: the triangle beyond the edge that faces corner k
  };
  struct Edge {
    int begin, end, outside, inside;  // triangles on its two sides
  };

  const GridPoint& corner(const Triangle& triangle, int k) const { return points_[triangle.corners[k % 3]]; }

  bool conflicts(int t, int p) const {
    const Triangle& triangle = triangles_[t];
    for (int k = 0; k < 3; ++k) {
      if (triangle.corners[k] != infinity_) continue;
      const GridPoint &a = corner(triangle, k + 1), &b = corner(triangle, k + 2);
      const std::int64_t side = turn_of(a, b, points_[p]);
      return side > 0 || (side == 0 && strictly_between(a, b, points_[p]));
    }
    return in_circle(corner(triangle, 0), corner(triangle, 1), corner(triangle, 2), points_[p]);
  }

  /// The triangle that holds the point, or one beyond the edge of the hull that the point is beyond of. The
  /// walk towards the point ends, since the triangulation is Delaunay's.
  int locate(int p) const {
    int t = last_;
    // From a triangle at infinity back inside.
    for (int k = 0; k < 3; ++k)
      if (triangles_[t].corners[k] == infinity_) {
        t = triangles_[t].across[k];
        break;
      }
    while (true) {
      const Triangle& triangle = triangles_[t];
      int next = -1;
      for (int k = 0; k < 3 && next < 0; ++k)
        if (turn_of(corner(triangle, k + 1), corner(triangle, k + 2), points_[p]) < 0)
          next = triangle.across[k];
      if (next < 0) return t;
      t = next;
      if (*std::max_element(triangles_[t].corners.begin(), triangles_[t].corners.end()) == infinity_)
        return t;
    }
  }

  void find_hole(int p) {
    in_hole_.resize(triangles_.size(), false);
    hole_ = {locate(p)};
    in_hole_[hole_[0]] = true;
    rim_.clear();
    for (size_t i = 0; i < hole_.size(); ++i) {
      const Triangle triangle = triangles_[hole_[i]];
      for (int k = 0; k < 3; ++k) {
        const int other = triangle.across[k];
        if (in_hole_[other]) continue;
        if (conflicts(other, p)) {
          in_hole_[other] = true;
          hole_.push_back(other);
        } else {
          rim_.push_back({triangle.corners[(k + 1) % 3], triangle.corners[(k + 2) % 3], other, -1});
        }
      }
    }
  }

  std::vector<GridPoint> points_;
  int infinity_;
  std::vector<Triangle> triangles_;
  std::vector<int> begins_at_;  // by a point of the rim: the new triangle whose edge begins there
  std::vector<int> hole_;       // triangles
  std::vector<bool> in_hole_;
  std::vector<Edge> rim_;
  int last_ = 0;
};

std::vector<GridPoint> on_grid(std::span<const Eigen::Vector2d> points) {
  Eigen::AlignedBox2d box;
  for (const Eigen::Vector2d& point : points) {
    if (!point.allFinite()) throw InputError("delaunay: a coordinate is not finite");
    box.extend(point);
  }
  const double step = box.sizes().maxCoeff() / kGridSteps;
  if (!(step > 0) || !std::isfinite(step))
    throw InputError("delaunay: the points lie in one place, or too far apart");
  std::vector<GridPoint> result;
  for (const Eigen::Vector2d& point : points) {
    const Eigen::Vector2d place = (point - box.min()) / step;
    result.push_back({std::llround(place.x()), std::llround(place.y())});
  }
  std::vector<GridPoint> sorted = result;
  std::sort(sorted.begin(), sorted.end(),
            [](const GridPoint& a, const GridPoint& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw InputError("delaunay: two points lie in the same place");
  return result;
}

}  // namespace

std::vector<std::array<int, 3>> delaunay_triangles(std::span<const Eigen::Vector2d> points) {
  if (points.size() < 3) throw InputError(format("delaunay: {} points make no triangle", points.size()));
  const std::vector<GridPoint> grid = on_grid(points);
  // Each point near the one before: the walk to it is short.
  std::vector<Vec3> in_space;
  for (const GridPoint& point : grid)
    in_space.emplace_back(static_cast<double>(point.x), static_cast<double>(point.y), 0);
  std::vector<int> order = order_along_curve(in_space);
  const auto third = std::find_if(order.begin() + 2, order.end(), [&](int p) {
    return turn_of(grid[order[0]], grid[order[1]], grid[p]) != 0;
  });
  if (third == order.end()) throw InputError("delaunay: the points all lie on a line");
  std::rotate(order.begin() + 2, third, third + 1);
  Triangulation triangulation(grid);
  triangulation.begin(order[0], order[1], order[2]);
  for (size_t i = 3; i < order.size(); ++i) triangulation.insert(order[i]);
  return triangulation.finite_triangles();
}

}  // namespace pliant
