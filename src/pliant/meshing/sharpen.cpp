#include "pliant/meshing/sharpen.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <set>

#include "pliant/mesh/quality.hpp"
#include "pliant/meshing/relocate.hpp"

namespace pliant {

namespace {

constexpr double kSharp =
    0.85;  // cosine of the angle between normals, about 32 degrees, from which an edge is sharp
constexpr double kFlatShape = 0.05;

class Sharpener {
 public:
  Sharpener(const Shape& shape, double cell, Stuffing& stuffing)
      : shape_(shape),
        stuffing_(stuffing),
        cell_(cell),
        x_(stuffing.mesh.vertices),
        tets_(stuffing.mesh.tets),
        on_surface_(stuffing.on_surface) {}

  void run(const Surface& surface) {
    collect(surface);
    find_normals();
    for (const auto& triangle : triangles_) snap_to_corner(triangle);
    for (const auto& edge : edges_) snap_to_edge(edge);
    if (std::none_of(snapped_.begin(), snapped_.end(), [](char s) { return s; })) return;
    std::vector<char> spare;
    for (const auto& tet : tets_) spare.push_back(is_spare(tet));
    Relocator(shape_, stuffing_).run(snapped_, spare);
    take_back();
    std::erase_if(tets_, [&](const std::array<int, 4>& tet) { return is_spare(tet); });
    while (fill_dents()) {
    }
  }

 private:
  using Edge = std::array<int, 2>;

  void collect(const Surface& surface) {
    for (const auto& local : surface.mesh.triangles) {
      std::array<int, 3> triangle{};
      for (int i = 0; i < 3; ++i) triangle[i] = surface.vertex_of[local[i]];
      triangles_.push_back(triangle);
      for (int i = 0; i < 3; ++i) {
        const int a = triangle[i], b = triangle[(i + 1) % 3];
        if (a < b)
          edges_.push_back(
              {a, b});  // each edge belongs to two triangles, which run along it in opposite ways
      }
    }
    std::sort(edges_.begin(), edges_.end());
    outer_faces_ = triangles_;
    for (auto& face : outer_faces_) std::sort(face.begin(), face.end());
    std::sort(outer_faces_.begin(), outer_faces_.end());
    before_ = x_;
    snapped_.assign(x_.size(), 0);
    corner_start_.assign(x_.size() + 1, 0);
    for (const auto& triangle : triangles_)
      for (const int v : triangle) ++corner_start_[v + 1];
    for (size_t v = 0; v < x_.size(); ++v) corner_start_[v + 1] += corner_start_[v];
    corner_of_.resize(corner_start_.back());
    std::vector<int> next(corner_start_.begin(), corner_start_.end() - 1);
    for (size_t t = 0; t < triangles_.size(); ++t)
      for (const int v : triangles_[t]) corner_of_[next[v]++] = static_cast<int>(t);
  }

  void find_normals() {
    normal_.resize(x_.size());
    for (size_t i = 0; i < x_.size(); ++i)
      if (on_surface_[i]) normal_[i] = shape_.distance_jet(x_[i]).gradient.normalized();
  }

  bool differ(int a, int b) const { return normal_[a].dot(normal_[b]) < kSharp; }

  /// The point where the tangent planes at some vertices meet, closest to `near`; with two planes it is on
  /// their line.
  template <size_t N>
  Vec3 meeting_point(const std::array<Vec3, N>& points, const std::array<Vec3, N>& normals,
                     const Vec3& near) const {
    Eigen::Matrix<double, N, 3> planes;
    Eigen::Matrix<double, N, 1> offsets;
    for (size_t i = 0; i < N; ++i) {
      planes.row(i) = normals[i].transpose();
      offsets[i] = normals[i].dot(points[i] - near);
    }
    const Eigen::Matrix<double, N, N> product = planes * planes.transpose();
    return near + planes.transpose() * product.fullPivLu().solve(offsets);
  }

  /// As above on faces that may be curved: planes are taken again close to the point found.
  template <size_t N>
  bool find_feature(const std::array<int, N>& vertices, Vec3& found) const {
    std::array<Vec3, N> points, normals;
    Vec3 near = Vec3::Zero();
    for (size_t i = 0; i < N; ++i) {
      points[i] = x_[vertices[i]];
      normals[i] = normal_[vertices[i]];
      near += points[i] / N;
    }
    for (double share = 0.5; share > 0.01; share /= 2) {
      found = meeting_point(points, normals, near);
      if (!((found - near).norm() < 2 * cell_)) return false;
      for (size_t i = 0; i < N; ++i) {
        const Vec3 closer = found + share * (x_[vertices[i]] - found);
        const Jet jet = shape_.distance_jet(closer);
        if (jet.gradient.dot(normal_[vertices[i]]) < kSharp) continue;  // across the edge: the plane stays
        points[i] = closer - jet.value * jet.gradient;
        normals[i] = jet.gradient;
      }
    }
    return std::abs(shape_.distance(found)) < 1e-3 * cell_;
  }

  void snap_to_corner(const std::array<int, 3>& triangle) {
    const auto [a, b, c] = triangle;
    if (snapped_[a] || snapped_[b] || snapped_[c] || !differ(a, b) || !differ(b, c) || !differ(c, a)) return;
    Vec3 corner;
    if (find_feature(triangle, corner)) snap_one_of(triangle, corner);
  }

  void snap_to_edge(const Edge& edge) {
    if (snapped_[edge[0]] || snapped_[edge[1]] || !differ(edge[0], edge[1])) return;
    Vec3 place;
    if (find_feature(edge, place)) snap_one_of(edge, place);
  }

  /// The closest one that can go there.
  template <size_t N>
  void snap_one_of(std::array<int, N> vertices, const Vec3& place) {
    std::sort(vertices.begin(), vertices.end(),
              [&](int a, int b) { return (x_[a] - place).squaredNorm() < (x_[b] - place).squaredNorm(); });
    for (const int vertex : vertices)
      if (snap(vertex, place)) return;
  }

  /// Not where a neighbour is already, nor where a triangle of the surface would become a line or turn over.
  bool snap(int vertex, const Vec3& place) {
    const Vec3 before = x_[vertex];
    x_[vertex] = place;
    for (int k = corner_start_[vertex]; k < corner_start_[vertex + 1]; ++k) {
      const auto& [a, b, c] = triangles_[corner_of_[k]];
      const Vec3 normal = (x_[b] - x_[a]).cross(x_[c] - x_[a]);
      const double longest = std::max(
          {(x_[b] - x_[a]).squaredNorm(), (x_[c] - x_[b]).squaredNorm(), (x_[a] - x_[c]).squaredNorm()});
      constexpr double kThin = 0.1;
      if (normal.norm() < kThin * longest || normal.dot(normal_[a] + normal_[b] + normal_[c]) < 0) {
        x_[vertex] = before;
        return false;
      }
    }
    snapped_[vertex] = 1;
    return true;
  }

  double ratio(const std::array<int, 4>& tet) const {
    return mean_ratio(x_[tet[0]], x_[tet[1]], x_[tet[2]], x_[tet[3]]);
  }

  /// Whether a tetrahedron at the surface has become flat and is not needed.
  bool is_spare(const std::array<int, 4>& tet) const {
    if (!std::all_of(tet.begin(), tet.end(), [&](int v) { return on_surface_[v]; })) return false;
    if (std::abs(ratio(tet)) > kFlatShape) return false;
    for (int opposite = 0; opposite < 4; ++opposite) {
      std::array<int, 3> face{tet[opposite == 0], tet[1 + (opposite <= 1)], tet[2 + (opposite <= 2)]};
      std::sort(face.begin(), face.end());
      if (std::binary_search(outer_faces_.begin(), outer_faces_.end(), face)) return true;
    }
    return false;
  }

  bool is_sound(const std::array<int, 4>& tet) const {
    constexpr double kHopeless = 0.03, kSmallest = 8, kLargest = 165;  // of a shape; degrees
    if (ratio(tet) < kHopeless) return false;
    const auto [smallest, largest] = extreme_angles(x_, tet);
    return smallest > kSmallest && largest < kLargest;
  }

  /// Where no better place was found, vertices go back to where they came from.
  void take_back() {
    for (bool again = true; again;) {
      again = false;
      for (const auto& tet : tets_) {
        if (is_sound(tet) || is_spare(tet)) continue;
        for (const int v : tet) {
          again |= x_[v] != before_[v];
          x_[v] = before_[v];
        }
      }
    }
  }

  /// Where an edge of the surface cuts across a sharp edge, the tetrahedron over its two triangles is
  /// missing. Each triangle takes part in one filling at most; says whether there was any.
  bool fill_dents() {
    struct Side {
      int a, b, opposite, triangle;
    };
    std::vector<Side> sides;
    const Surface surface = extract_surface(stuffing_.mesh);
    const auto& triangles = surface.mesh.triangles;
    for (int t = 0; t < std::ssize(triangles); ++t)
      for (int i = 0; i < 3; ++i) {
        const int a = surface.vertex_of[triangles[t][i]], b = surface.vertex_of[triangles[t][(i + 1) % 3]];
        const int opposite = surface.vertex_of[triangles[t][(i + 2) % 3]];
        sides.push_back({std::min(a, b), std::max(a, b), opposite, t});
      }
    const auto before = [](const Side& s, const Side& t) {
      return std::pair(s.a, s.b) < std::pair(t.a, t.b);
    };
    std::stable_sort(sides.begin(), sides.end(), before);
    std::vector<char> taken(triangles.size(), 0);
    std::set<std::pair<int, int>> added;  // edges across
    for (size_t k = 0; k + 1 < sides.size(); k += 2) {
      const auto& [a, b, c, t] = sides[k];
      const auto& [a2, b2, d, u] = sides[k + 1];
      const Side across{std::min(c, d), std::max(c, d), 0, 0};
      if (taken[t] || taken[u] || added.contains({across.a, across.b}) ||
          std::binary_search(sides.begin(), sides.end(), across, before))
        continue;
      std::array<int, 4> tet{a, b, c, d};
      if (ratio(tet) < 0) std::swap(tet[0], tet[1]);
      if (!is_dent(a, b, c, d) || !is_sound(tet)) continue;
      tets_.push_back(tet);
      taken[t] = taken[u] = 1;
      added.insert({across.a, across.b});
    }
    return !added.empty();
  }

  /// Whether a, b runs below the surface, on which the faces over it would lie.
  bool is_dent(int a, int b, int c, int d) const {
    constexpr double kClose = 0.02;  // of a cell
    const auto off = [&](const Vec3& point) { return shape_.distance(point) / cell_; };
    return off((x_[a] + x_[b]) / 2) < -2 * kClose && std::abs(off((x_[c] + x_[d]) / 2)) < kClose &&
           std::abs(off((x_[a] + x_[c] + x_[d]) / 3)) < kClose &&
           std::abs(off((x_[b] + x_[c] + x_[d]) / 3)) < kClose;
  }

  const Shape& shape_;
  Stuffing& stuffing_;
  double cell_;
  std::vector<Vec3>& x_;
  std::vector<std::array<int, 4>>& tets_;
  const std::vector<char>& on_surface_;
  std::vector<Vec3> before_;
  std::vector<std::array<int, 3>> triangles_,
      outer_faces_;  ///< the latter with their corners in increasing order
  std::vector<Edge> edges_;
  std::vector<Vec3> normal_;
  std::vector<char> snapped_;
  std::vector<int> corner_start_, corner_of_;  ///< triangles around vertices
};

}  // namespace

void sharpen(const Shape& shape, double cell, Stuffing& stuffing) {
  Sharpener(shape, cell, stuffing).run(extract_surface(stuffing.mesh));
}

}  // namespace pliant
