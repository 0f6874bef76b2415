#include "pliant/shape/surface_shape.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/groups.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/merge.hpp"
#include "pliant/spatial/triangle_tree.hpp"

namespace pliant {

namespace {

class SurfaceShape : public Shape {
 public:
  explicit SurfaceShape(TriangleMesh mesh, bool inward)
      : tree_(std::move(mesh)), orientation_(inward ? -1 : 1) {
    for (const auto& triangle : tree_.mesh().triangles)
      for (const int vertex : triangle) bounds_.extend(tree_.mesh().vertices[vertex]);
  }

  double distance(const Vec3& point) const override {
    return sign(point) * std::sqrt(tree_.closest(point).squared_distance);
  }

  Jet distance_jet(const Vec3& point) const override {
    const ClosestPoint closest = tree_.closest(point);
    const double away = std::sqrt(closest.squared_distance), side = sign(point);
    const auto& [a, b, c] = tree_.mesh().triangles[closest.triangle];
    const auto& x = tree_.mesh().vertices;
    Jet jet(side * away);
    // The way to a point that is on the surface but for roundoff says nothing; its triangle does.
    constexpr double kOnSurface = 1e-9;
    if (away <= kOnSurface * bounds_.diagonal().norm()) {
      jet.gradient = orientation_ * (x[b] - x[a]).cross(x[c] - x[a]).normalized();
      return jet;
    }
    const Vec3 normal = (point - closest.point) / away;
    jet.gradient = side * normal;
    if (closest.feature == ClosestPoint::Feature::face) return jet;
    jet.hessian = Mat3::Identity() - normal * normal.transpose();
    if (closest.feature == ClosestPoint::Feature::edge) {
      const int opposite = closest.which;
      const std::array<int, 3> triangle{a, b, c};
      const Vec3 along = (x[triangle[(opposite + 2) % 3]] - x[triangle[(opposite + 1) % 3]]).normalized();
      jet.hessian -= along * along.transpose();
    }
    jet.hessian *= side / away;
    return jet;
  }

  Bounds bounds() const override { return bounds_; }

 private:
  double sign(const Vec3& point) const { return orientation_ * tree_.winding_number(point) > 0.5 ? -1 : 1; }

  TriangleTree tree_;
  double orientation_;
  Bounds bounds_;
};

/// Edges with the number of triangles they belong to.
std::vector<std::pair<std::array<int, 2>, int>> count_edges(const TriangleMesh& mesh) {
  std::vector<std::array<int, 2>> edges;
  for (const auto& t : mesh.triangles)
    for (int i = 0; i < 3; ++i)
      edges.push_back({std::min(t[i], t[(i + 1) % 3]), std::max(t[i], t[(i + 1) % 3])});
  std::sort(edges.begin(), edges.end());
  std::vector<std::pair<std::array<int, 2>, int>> counted;
  for (const auto& edge : edges) {
    if (counted.empty() || counted.back().first != edge) counted.push_back({edge, 0});
    ++counted.back().second;
  }
  return counted;
}

/// Groups of vertices that are joined, each with the smallest of its vertices as its name.
std::vector<int> joined_groups(size_t vertices, const std::vector<std::array<int, 2>>& edges) {
  Groups groups(vertices);
  for (const auto& [a, b] : edges) groups.join(a, b);
  std::vector<int> group(vertices);
  for (size_t v = 0; v < vertices; ++v) group[v] = groups.of(static_cast<int>(v));
  return group;
}

std::vector<Hole> find_holes(const TriangleMesh& mesh, const std::vector<std::array<int, 2>>& boundary) {
  const std::vector<int> group = joined_groups(mesh.vertices.size(), boundary);
  std::vector<int> hole_of(mesh.vertices.size(), -1);
  std::vector<Hole> holes;
  std::vector<Bounds> boxes;
  for (const auto& [a, b] : boundary) {
    int& number = hole_of[group[a]];
    if (number < 0) {
      number = static_cast<int>(holes.size());
      holes.emplace_back();
      boxes.emplace_back();
    }
    ++holes[number].edges;
    boxes[number].extend(mesh.vertices[a]);
    boxes[number].extend(mesh.vertices[b]);
  }
  for (size_t h = 0; h < holes.size(); ++h) {
    holes[h].centre = boxes[h].center();
    holes[h].extent = boxes[h].diagonal().norm();
  }
  std::stable_sort(holes.begin(), holes.end(),
                   [](const Hole& a, const Hole& b) { return a.extent > b.extent; });
  return holes;
}

}  // namespace

TriangleMesh weld(const TriangleMesh& mesh) {
  MeshContents merged = merge_equal_vertices({mesh.vertices, {}, mesh.triangles, {}});
  std::erase_if(merged.triangles, [](const auto& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
  return {std::move(merged.vertices), std::move(merged.triangles)};
}

SurfaceReport examine(const TriangleMesh& mesh) {
  SurfaceReport report;
  report.vertices = std::ssize(mesh.vertices);
  report.triangles = std::ssize(mesh.triangles);
  Bounds bounds;
  std::vector<std::array<int, 2>> sides, boundary;
  for (const auto& [edge, count] : count_edges(mesh)) {
    sides.push_back(edge);
    if (count == 1) boundary.push_back(edge);
    report.crowded_edges += count > 2;
  }
  report.boundary_edges = std::ssize(boundary);
  report.holes = find_holes(mesh, boundary);
  for (const auto& t : mesh.triangles)
    for (const int v : t) bounds.extend(mesh.vertices[v]);
  if (!bounds.isEmpty()) report.size = bounds.sizes();
  const Vec3 middle = bounds.isEmpty() ? Vec3::Zero() : Vec3(bounds.center());
  const std::vector<int> group = joined_groups(mesh.vertices.size(), sides);
  std::vector<char> seen(mesh.vertices.size(), 0);
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]] - middle, b = mesh.vertices[t[1]] - middle,
               c = mesh.vertices[t[2]] - middle;
    report.area += (b - a).cross(c - a).norm() / 2;
    report.volume += a.dot(b.cross(c)) / 6;
    report.components += !seen[group[t[0]]];
    seen[group[t[0]]] = 1;
  }
  return report;
}

ShapePointer make_surface_shape(const TriangleMesh& mesh, const std::string& name,
                                const std::string& otherwise) {
  TriangleMesh welded = weld(mesh);
  const SurfaceReport report = examine(welded);
  if (report.triangles == 0) throw InputError(format("{}: the surface has no triangles with an area", name));
  const double diagonal = report.size.norm();
  constexpr double kSmallest = 1e-50, kLargest = 1e50;  // products of lengths must be numbers
  if (!(diagonal > kSmallest && diagonal < kLargest))
    throw InputError(format("{}: the surface is {:.3g} m large; use another unit", name, diagonal));
  constexpr double kSmallHole = 0.1;  // of the diagonal: what a winding number closes well
  if (!report.holes.empty() && report.holes[0].extent > kSmallHole * diagonal) {
    const Hole& hole = report.holes[0];
    throw InputError(
        format("{}: the surface is open and encloses nothing: {} boundary edges in {} {}, the largest {:.3g} "
               "m across "
               "around [{:.4g}, {:.4g}, {:.4g}]; close it in a modelling program (small holes are no "
               "harm){}",
               name, report.boundary_edges, report.holes.size(), report.holes.size() == 1 ? "hole" : "holes",
               hole.extent, hole.centre.x(), hole.centre.y(), hole.centre.z(), otherwise));
  }
  constexpr double kFlatSolid = 1e-9;
  if (!(std::abs(report.volume) > kFlatSolid * diagonal * diagonal * diagonal))
    throw InputError(
        format("{}: the surface encloses no volume ({:.3g} m^3): it is flat, or half of its triangles face "
               "inward; let a "
               "modelling program make its normals consistent",
               name, report.volume));
  return std::make_shared<SurfaceShape>(std::move(welded), report.volume < 0);
}

std::vector<PointData> carry_over(const TriangleMesh& surface, const std::vector<PointData>& fields,
                                  std::span<const Vec3> points) {
  if (fields.empty()) return {};
  std::vector<PointData> carried;
  for (const PointData& field : fields)
    carried.push_back({field.name, field.components, std::vector<double>(points.size() * field.components)});
  const TriangleTree tree(surface);
  parallel_chunks(std::ssize(points), 256, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const ClosestPoint closest = tree.closest(points[i]);
      const auto& t = surface.triangles[closest.triangle];
      for (size_t f = 0; f < fields.size(); ++f) {
        const int components = fields[f].components;
        for (int k = 0; k < components; ++k) {
          double sum = 0;
          for (int corner = 0; corner < 3; ++corner)
            sum +=
                closest.weights[corner] * fields[f].values[static_cast<size_t>(t[corner]) * components + k];
          carried[f].values[i * components + k] = sum;
        }
      }
    }
  });
  return carried;
}

}  // namespace pliant
