#include "pliant/spatial/triangle_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace pliant {

namespace {

ClosestPoint answer_on(const std::array<Vec3, 3>& corners, const Vec3& to, const Vec3& weights,
                       ClosestPoint::Feature feature, int which) {
  const Vec3 point = weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2];
  return {(to - point).squaredNorm(), point, weights, feature, which, -1};
}

/// The closest point of the three edges alone, for triangles too thin to tell their inside from roundoff.
ClosestPoint closest_on_edges(const std::array<Vec3, 3>& corners, const Vec3& to) {
  using Feature = ClosestPoint::Feature;
  ClosestPoint best;
  best.squared_distance = std::numeric_limits<double>::infinity();
  for (int opposite = 0; opposite < 3; ++opposite) {
    const int first = (opposite + 1) % 3, second = (opposite + 2) % 3;
    const Vec3 along = corners[second] - corners[first];
    const double done = along.dot(to - corners[first]), whole = along.squaredNorm();
    Vec3 weights = Vec3::Zero();
    ClosestPoint here;
    if (!(done > 0) || !(done < whole)) {
      const int nearest = done > 0 ? second : first;
      weights[nearest] = 1;
      here = answer_on(corners, to, weights, Feature::corner, nearest);
    } else {
      weights[second] = done / whole;
      weights[first] = 1 - weights[second];
      here = answer_on(corners, to, weights, Feature::edge, opposite);
    }
    if (here.squared_distance < best.squared_distance) best = here;
  }
  return best;
}

}  // namespace

/// Which of the seven regions around the triangle the point lies in, by the signs of its products with the
/// edges (Ericson 2005, Real-time collision detection, 5.1.5).
ClosestPoint closest_point(const Vec3& to, const Vec3& a, const Vec3& b, const Vec3& c) {
  using Feature = ClosestPoint::Feature;
  const std::array<Vec3, 3> corners{a, b, c};
  const Vec3 ab = b - a, ac = c - a, ap = to - a, bp = to - b, cp = to - c;
  constexpr double kThinnest = 1e-6;  // sine of an angle below which the signs are those of roundoff
  if (ab.cross(ac).squaredNorm() <= kThinnest * kThinnest * ab.squaredNorm() * ac.squaredNorm())
    return closest_on_edges(corners, to);
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return answer_on(corners, to, {1, 0, 0}, Feature::corner, 0);
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return answer_on(corners, to, {0, 1, 0}, Feature::corner, 1);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const double w = d1 - d3 > 0 ? d1 / (d1 - d3) : 0;
    return answer_on(corners, to, {1 - w, w, 0}, Feature::edge, 2);
  }
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return answer_on(corners, to, {0, 0, 1}, Feature::corner, 2);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const double w = d2 - d6 > 0 ? d2 / (d2 - d6) : 0;
    return answer_on(corners, to, {1 - w, 0, w}, Feature::edge, 1);
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double length = (d4 - d3) + (d5 - d6);
    const double w = length > 0 ? (d4 - d3) / length : 0;
    return answer_on(corners, to, {0, 1 - w, w}, Feature::edge, 0);
  }
  if (!(va > 0 && vb > 0 && vc > 0)) return closest_on_edges(corners, to);
  const double sum = va + vb + vc, wb = vb / sum, wc = vc / sum;
  return answer_on(corners, to, {std::max(0.0, 1 - wb - wc), wb, wc}, Feature::face, 0);
}

double solid_angle(const Vec3& from, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = a - from, v = b - from, w = c - from;
  const double lu = u.norm(), lv = v.norm(), lw = w.norm();
  return 2 * std::atan2(u.dot(v.cross(w)), lu * lv * lw + u.dot(v) * lw + v.dot(w) * lu + w.dot(u) * lv);
}

TriangleTree::TriangleTree(TriangleMesh mesh) : mesh_(std::move(mesh)), order_(mesh_.triangles.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  for (size_t t = 0; t < mesh_.triangles.size(); ++t) {
    const auto [a, b, c] = corners(static_cast<int>(t));
    middles_.push_back((a + b + c) / 3);
  }
  nodes_.reserve(order_.size());
  if (!order_.empty()) build(0, static_cast<int>(order_.size()));
}

std::array<Vec3, 3> TriangleTree::corners(int triangle) const {
  const auto& t = mesh_.triangles[triangle];
  return {mesh_.vertices[t[0]], mesh_.vertices[t[1]], mesh_.vertices[t[2]]};
}

int TriangleTree::build(int first, int last) {
  const int number = static_cast<int>(nodes_.size());
  Node node{{}, first, last, -1, Vec3::Zero(), Vec3::Zero(), 0};
  Eigen::AlignedBox3d spread;
  double area = 0;
  for (int k = first; k < last; ++k) {
    const auto [a, b, c] = corners(order_[k]);
    for (const Vec3& corner : {a, b, c}) node.box.extend(corner);
    spread.extend(middles_[order_[k]]);
    const Vec3 normal = (b - a).cross(c - a) / 2;
    node.normal += normal;
    node.centre += normal.norm() * middles_[order_[k]];
    area += normal.norm();
  }
  node.centre = area > 0 ? Vec3(node.centre / area) : Vec3(node.box.center());
  for (int k = first; k < last; ++k)
    for (const Vec3& corner : corners(order_[k]))
      node.radius = std::max(node.radius, (corner - node.centre).norm());
  nodes_.push_back(node);
  constexpr int kLeaf = 4;
  if (last - first > kLeaf) {
    int axis = 0;
    spread.sizes().maxCoeff(&axis);
    const int middle = (first + last) / 2;
    std::nth_element(
        order_.begin() + first, order_.begin() + middle, order_.begin() + last, [&](int s, int t) {
          return middles_[s][axis] != middles_[t][axis] ? middles_[s][axis] < middles_[t][axis] : s < t;
        });
    build(first, middle);
    nodes_[number].second_child = build(middle, last);
  }
  return number;
}

ClosestPoint TriangleTree::closest(const Vec3& point) const {
  ClosestPoint best;
  best.squared_distance = std::numeric_limits<double>::infinity();
  int stack[64], depth = 0;
  if (!nodes_.empty()) stack[depth++] = 0;
  while (depth > 0) {
    const int number = stack[--depth];
    const Node& node = nodes_[number];
    if (node.box.squaredExteriorDistance(point) > best.squared_distance) continue;
    if (node.second_child < 0) {
      for (int k = node.first; k < node.last; ++k) {
        const auto [a, b, c] = corners(order_[k]);
        ClosestPoint here = closest_point(point, a, b, c);
        here.triangle = order_[k];
        const bool closer = here.squared_distance < best.squared_distance;
        if (closer || (here.squared_distance == best.squared_distance && here.triangle < best.triangle))
          best = here;
      }
      continue;
    }
    int near = number + 1, far = node.second_child;
    if (nodes_[far].box.squaredExteriorDistance(point) < nodes_[near].box.squaredExteriorDistance(point))
      std::swap(near, far);
    stack[depth++] = far;
    stack[depth++] = near;
  }
  return best;
}

double TriangleTree::winding_number(const Vec3& point) const {
  constexpr double kFar = 3.5;  // radii
  double angle = 0;
  int stack[64], depth = 0;
  if (!nodes_.empty()) stack[depth++] = 0;
  while (depth > 0) {
    const int number = stack[--depth];
    const Node& node = nodes_[number];
    const Vec3 away = node.centre - point;
    const double squared = away.squaredNorm();
    if (squared > kFar * kFar * node.radius * node.radius) {
      angle += node.normal.dot(away) / (squared * std::sqrt(squared));
    } else if (node.second_child < 0) {
      for (int k = node.first; k < node.last; ++k) {
        const auto [a, b, c] = corners(order_[k]);
        angle += solid_angle(point, a, b, c);
      }
    } else {
      stack[depth++] = node.second_child;
      stack[depth++] = number + 1;
    }
  }
  return angle / (4 * std::numbers::pi);
}

}  // namespace pliant
