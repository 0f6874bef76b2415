#include "pliant/mesh/cloth.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/irregular_mesh.hpp"

namespace pliant {

namespace {

constexpr double kMostVertices = 1e7;

/// From a plane seen from above, x to the right and y up, to the floor: the upper side stays up.
Vec3 on_floor(double x, double y) { return {x, 0, -y}; }

TriangleMesh laid_down(const PlaneMesh& mesh) {
  TriangleMesh cloth;
  for (const Eigen::Vector2d& point : mesh.points) cloth.vertices.push_back(on_floor(point.x(), point.y()));
  cloth.triangles = mesh.triangles;
  return cloth;
}

void check_size(const char* shape, double vertices) {
  if (!(vertices <= kMostVertices))
    throw InputError(format("{}: it would have {:.3g} vertices; at most {:.0e} are allowed, use larger cells",
                            shape, vertices, kMostVertices));
}

double grid_place(double size, int i, int cells) { return size * ((2.0 * i - cells) / (2.0 * cells)); }

TriangleMesh cloth_of_cells(const ClothRectangle& shape) {
  const int nx = shape.cells[0], ny = shape.cells[1];
  TriangleMesh cloth;
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i)
      cloth.vertices.push_back(
          on_floor(grid_place(shape.size.x(), i, nx), grid_place(shape.size.y(), j, ny)));
  const auto vertex = [&](int i, int j) { return i + (nx + 1) * j; };
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const int a = vertex(i, j), b = vertex(i + 1, j), c = vertex(i + 1, j + 1), d = vertex(i, j + 1);
      if (shape.pattern == ClothPattern::kRegular || ((i ^ j) & 1) == 0) {
        cloth.triangles.push_back({a, b, c});
        cloth.triangles.push_back({a, c, d});
      } else {
        cloth.triangles.push_back({a, b, d});
        cloth.triangles.push_back({b, c, d});
      }
    }
  }
  return cloth;
}

TriangleMesh irregular_rectangle(const ClothRectangle& shape) {
  const int nx = shape.cells[0], ny = shape.cells[1];
  const double width = shape.size.x(), height = shape.size.y(), hx = width / nx, hy = height / ny;
  if (std::max(hx, hy) > 1.5 * std::min(hx, hy)) {
    throw InputError(format(
        "cloth: an irregular mesh needs cells nearly as long as wide, not {:.3g} x {:.3g}; use {} cells "
        "along x and {} along z",
        hx, hy, nx, std::max(1.0, std::round(height / hx))));
  }
  std::vector<Eigen::Vector2d> outline;
  for (int i = 0; i < nx; ++i) outline.emplace_back(grid_place(width, i, nx), -height / 2);
  for (int j = 0; j < ny; ++j) outline.emplace_back(width / 2, grid_place(height, j, ny));
  for (int i = nx; i > 0; --i) outline.emplace_back(grid_place(width, i, nx), height / 2);
  for (int j = ny; j > 0; --j) outline.emplace_back(-width / 2, grid_place(height, j, ny));
  const auto depth = [&](const Eigen::Vector2d& p) {
    return std::min(width / 2 - std::abs(p.x()), height / 2 - std::abs(p.y()));
  };
  return laid_down(fill_irregularly(outline, std::sqrt(hx * hy), depth));
}

/// Ring k has 6k vertices: in each of six sectors k triangles stand on it and k - 1 hang from it.
TriangleMesh disc_of_rings(double radius, int rings) {
  TriangleMesh cloth;
  cloth.vertices.push_back(Vec3::Zero());
  for (int k = 1; k <= rings; ++k) {
    for (int i = 0; i < 6 * k; ++i) {
      const double angle = 2 * std::numbers::pi * i / (6 * k), r = radius * k / rings;
      cloth.vertices.push_back(on_floor(r * std::cos(angle), r * std::sin(angle)));
    }
  }
  const auto vertex = [](int k, int i) { return k == 0 ? 0 : 1 + 3 * k * (k - 1) + i % (6 * k); };
  for (int k = 1; k <= rings; ++k) {
    for (int sector = 0; sector < 6; ++sector) {
      for (int i = 0; i < k; ++i) {
        const int inner = vertex(k - 1, sector * (k - 1) + i);
        const int outer = vertex(k, sector * k + i), next = vertex(k, sector * k + i + 1);
        cloth.triangles.push_back({inner, outer, next});
        if (i + 1 < k) cloth.triangles.push_back({inner, next, vertex(k - 1, sector * (k - 1) + i + 1)});
      }
    }
  }
  return cloth;
}

}  // namespace

TriangleMesh make_cloth_rectangle(const ClothRectangle& shape) {
  if (!(shape.size.array() > 0).all() || !shape.size.allFinite() || shape.cells[0] < 1 || shape.cells[1] < 1)
    throw InputError("cloth: sizes must be positive and finite, and there must be at least 1 cell each way");
  check_size("cloth", (shape.cells[0] + 1.0) * (shape.cells[1] + 1.0));
  return shape.pattern == ClothPattern::kDelaunay ? irregular_rectangle(shape) : cloth_of_cells(shape);
}

TriangleMesh make_cloth_disc(const ClothDisc& shape) {
  if (!(shape.radius > 0) || !(shape.cell > 0) || !(shape.cell <= shape.radius) ||
      !std::isfinite(shape.radius))
    throw InputError(
        format("cloth disc: the radius ({}) must be positive and finite, and the cell ({}) positive and "
               "not larger than it",
               shape.radius, shape.cell));
  const double rings = std::round(shape.radius / shape.cell);
  check_size("cloth disc", 3 * rings * (rings + 1) + 1);
  if (shape.pattern == DiscPattern::kRings) return disc_of_rings(shape.radius, static_cast<int>(rings));
  const int corners = static_cast<int>(std::round(2 * std::numbers::pi * shape.radius / shape.cell));
  std::vector<Eigen::Vector2d> outline;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    outline.emplace_back(shape.radius * std::cos(angle), shape.radius * std::sin(angle));
  }
  const auto depth = [&](const Eigen::Vector2d& p) { return shape.radius - p.norm(); };
  return laid_down(fill_irregularly(outline, shape.cell, depth));
}

}  // namespace pliant
