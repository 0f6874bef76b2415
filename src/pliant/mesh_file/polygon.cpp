#include "pliant/mesh_file/polygon.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

using Flat = Eigen::Vector2d;

constexpr double kStraight = 1e-10;  // the sine of an angle that counts as none

double turn(const Flat& a, const Flat& b, const Flat& c) {
  const Flat u = b - a, v = c - b;
  return u.x() * v.y() - u.y() * v.x();
}

/// Whether the corner b turns left by more than roundoff.
bool turns_left(const Flat& a, const Flat& b, const Flat& c) {
  return turn(a, b, c) > kStraight * (b - a).norm() * (c - b).norm();
}

/// The polygon in the coordinate plane that it is most nearly parallel to, so seen that it turns left as a
/// whole. Scaled, so that no product overflows.
std::vector<Flat> flattened(std::span<const int> corners, std::span<const Vec3> vertices) {
  double largest = 0;
  for (const int corner : corners) largest = std::max(largest, vertices[corner].cwiseAbs().maxCoeff());
  std::vector<Vec3> points;
  for (const int corner : corners)
    points.push_back(largest > 0 ? Vec3(vertices[corner] / largest) : vertices[corner]);
  Vec3 normal = Vec3::Zero();
  for (size_t i = 0; i < points.size(); ++i) {
    const Vec3 a = points[i] - points[0], b = points[(i + 1) % points.size()] - points[0];
    normal += a.cross(b);
  }
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::vector<Flat> flat;
  for (const Vec3& x : points) flat.push_back(normal[axis] < 0 ? Flat(x[v], x[u]) : Flat(x[u], x[v]));
  return flat;
}

bool is_convex(const std::vector<Flat>& points) {
  const size_t n = points.size();
  for (size_t i = 0; i < n; ++i)
    if (!turns_left(points[i], points[(i + 1) % n], points[(i + 2) % n])) return false;
  return true;
}

/// An ear is a corner that turns left and whose triangle holds no other corner. One that lies where a corner
/// of the triangle lies is no obstacle: so are holes joined to the outline by a slit.
bool is_ear(const std::vector<Flat>& points, const std::vector<size_t>& left, size_t at) {
  const size_t n = left.size();
  const Flat &a = points[left[(at + n - 1) % n]], &b = points[left[at]], &c = points[left[(at + 1) % n]];
  if (!turns_left(a, b, c)) return false;
  return std::none_of(left.begin(), left.end(), [&](size_t i) {
    const Flat& p = points[i];
    if (p == a || p == b || p == c) return false;
    return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
  });
}

void clip_ears(std::span<const int> corners, const std::vector<Flat>& points,
               std::vector<std::array<int, 3>>& triangles) {
  std::vector<size_t> left(corners.size());
  std::iota(left.begin(), left.end(), size_t{0});
  const auto add = [&](size_t i, size_t j, size_t k) {
    triangles.push_back({corners[left[i]], corners[left[j]], corners[left[k]]});
  };
  // Going on behind the last ear keeps the triangles from all meeting in one corner.
  for (size_t at = 0, failures = 0; left.size() > 3 && failures < left.size();) {
    const size_t n = left.size();
    at %= n;
    if (is_ear(points, left, at)) {
      add((at + n - 1) % n, at, (at + 1) % n);
      left.erase(left.begin() + static_cast<Index>(at));
      failures = 0;
    } else {
      ++at;
      ++failures;
    }
  }
  for (size_t i = 1; i + 1 < left.size(); ++i) add(0, i, i + 1);
}

}  // namespace

std::vector<std::array<int, 3>> triangulate(const PolygonList& polygons, std::span<const Vec3> vertices,
                                            const std::string& file) {
  std::vector<std::array<int, 3>> triangles;
  size_t begin = 0;
  double work = 0;
  constexpr double kMostWork = 1e11;  // cubes of numbers of corners: half a minute
  for (const size_t end : polygons.ends) {
    const std::span<const int> corners(polygons.corners.data() + begin, end - begin);
    begin = end;
    const std::vector<Flat> points = corners.size() > 3 ? flattened(corners, vertices) : std::vector<Flat>();
    if (points.empty() || is_convex(points)) {
      for (size_t i = 1; i + 1 < corners.size(); ++i)
        triangles.push_back({corners[0], corners[i], corners[i + 1]});
    } else if (corners.size() <= kMostCorners) {
      const double n = static_cast<double>(corners.size());
      work += n * n * n;
      if (work > kMostWork)
        throw InputError(
            Complaint{file, 0, 0,
                      "its faces have too many corners, and are not convex; triangulate them in the "
                      "program that wrote the file"});
      clip_ears(corners, points, triangles);
    } else {
      throw InputError(Complaint{
          file, 0, 0,
          format("a face has {} corners and is not convex; at most {} can be cut into triangles. Triangulate "
                 "it in the program that wrote the file",
                 corners.size(), kMostCorners)});
    }
  }
  return triangles;
}

}  // namespace pliant
