// Obstacles of scene files: their distance, and a surface to draw them by.
#include "pliant/scene/place_obstacle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh_file/mesh_file.hpp"
#include "pliant/meshing/contour.hpp"
#include "pliant/scene/placement.hpp"
#include "pliant/scene/registry.hpp"
#include "pliant/shape/grid_shape.hpp"
#include "pliant/shape/shapes.hpp"
#include "pliant/shape/surface_shape.hpp"

namespace pliant {

namespace {

void read_obstacle_mesh(const ObstacleKeys& keys, Obstacle& obstacle) {
  require_mesh_file(*keys.mesh);
  MeshContents contents = skin_of(read_mesh_file(*keys.mesh));
  const TriangleMesh in_file{contents.vertices, contents.triangles};
  place(keys, contents.vertices);
  obstacle.surface = {std::move(contents.vertices), std::move(contents.triangles)};
  try {
    obstacle.shape = make_surface_shape(obstacle.surface, *keys.mesh);
  } catch (const InputError&) {
    make_surface_shape(in_file, *keys.mesh);  // places in complaints are those of the file
    throw;
  }
}

ShapePointer placed_shape(const ObstacleKeys& keys) {
  ShapePointer shape = make_solid_shape(*keys.shape);
  const bool stays = keys.scale == Vec3::Ones() && keys.rotate.angle == 0 && keys.translate == Vec3::Zero();
  if (stays) return shape;
  return moved(std::move(shape), keys.scale[0], Eigen::Quaterniond(rotation_matrix(keys.rotate)),
               keys.translate);
}

/// The side of cells that see the thinnest of its parts, and walls well enough to make their rims round; as
/// far as its keys tell.
double cell_for_parts(const SolidKeys& keys) {
  constexpr double kThroughPart = 1.5, kThroughWall = 4;
  double cell = std::numeric_limits<double>::infinity();
  for (const SolidKeys& part : keys.parts) cell = std::min(cell, cell_for_parts(part));
  if ((keys.kind == "bowl" || keys.kind == "shell") && keys.thickness)
    cell = std::min(cell, *keys.thickness / kThroughWall);
  if (keys.parts.empty() && keys.kind != "surface")
    cell = std::min(cell, make_solid_shape(keys)->bounds().sizes().minCoeff() / keys.scale / kThroughPart);
  return keys.scale * cell;
}

/// The part of the world in which something without an end is drawn: around the place of it that is nearest
/// to the scene.
Bounds surroundings(const Shape& shape, const Bounds& scene) {
  const Jet distance = shape.distance_jet(scene.center());
  const Vec3 middle = scene.center() - distance.value * distance.gradient;
  constexpr double kAround = 5;  // times the extent of the scene
  const double extent = std::max(scene.sizes().maxCoeff(), std::abs(distance.value));
  const Vec3 reach = Vec3::Constant(kAround * extent / 2);
  return {middle - reach, middle + reach};
}

/// Two triangles.
TriangleMesh plane_patch(const Shape& shape, const Bounds& around) {
  const Vec3 normal = shape.distance_jet(around.center()).gradient.normalized();
  const Vec3 right = normal.unitOrthogonal(), up = normal.cross(right);
  const double reach = around.sizes().x() / 2;
  TriangleMesh patch;
  for (const auto& [x, y] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}})
    patch.vertices.push_back(around.center() + reach * (x * right + y * up));
  patch.triangles = {{0, 1, 2}, {0, 2, 3}};
  return patch;
}

/// With so many cells across the box, or more where its parts need cells of the side `wanted`.
TriangleMesh visible_surface(const Shape& shape, const Bounds& box, double across, double wanted) {
  constexpr double kMostAcross = 200, kThrough = 3;
  const double longest = box.sizes().maxCoeff();
  const double side = std::max(std::min(longest / across, wanted), longest / kMostAcross);
  const Vec3 cell = (box.sizes() / kThrough).cwiseMin(side);
  // The faces of a box must not lie in a plane of grid points, which would belong to neither side.
  const Bounds larger(box.min() - 0.4 * cell, box.max() + 0.6 * cell);
  TriangleMesh surface = contour(shape, larger, cell);
  if (surface.triangles.empty())
    throw InputError("the shape is empty, or much thinner than it is long; make it thicker");
  return surface;
}

TriangleMesh surface_to_draw(const ObstacleKeys& keys, const Obstacle& obstacle, const Bounds& scene) {
  const double wanted = keys.scale[0] * cell_for_parts(*keys.shape);
  constexpr double kAcross = 48, kAcrossAll = 160;
  if (!obstacle.unbounded())
    return visible_surface(*obstacle.shape, obstacle.shape->bounds(), kAcross, wanted);
  const Bounds around = surroundings(*obstacle.shape, scene);
  const bool plane = keys.shape->kind == "half-space" || keys.shape->kind == "plane";
  return plane ? plane_patch(*obstacle.shape, around)
               : visible_surface(*obstacle.shape, around, kAcrossAll, wanted);
}

/// What points spread evenly over its box say about a shape.
struct Probe {
  std::vector<Vec3> inside;
  double thickness = 0;  ///< of its thickest part: the widest ball in it, m

  explicit Probe(const Shape& shape) {
    constexpr int kPoints = 20000;
    const Bounds box = shape.bounds();
    for (int i = 1; i <= kPoints; ++i) {
      const Vec3 share(radical_inverse(i, 2), radical_inverse(i, 3), radical_inverse(i, 5));
      const Vec3 point = box.min() + share.cwiseProduct(box.sizes());
      const double distance = shape.distance(point);
      if (!(distance < 0)) continue;
      inside.push_back(point);
      thickness = std::max(thickness, -2 * distance);
    }
  }

 private:
  /// Digits of a number mirrored at the point: evenly spread between 0 and 1 (Halton).
  static double radical_inverse(int number, int base) {
    double result = 0, digit = 1.0 / base;
    for (; number > 0; number /= base, digit /= base) result += digit * (number % base);
    return result;
  }
};

/// Small enough for its longest side and for its thickness, as long as the grid does not get large.
double usual_cell(const Shape& shape, double thickness) {
  constexpr double kAlong = 64, kThrough = 4, kMostSamples = 1e7;
  const Vec3 size = shape.bounds().sizes();
  const double fine = std::min(size.maxCoeff() / kAlong, thickness / kThrough);
  return std::max(fine, std::cbrt(size.prod() / kMostSamples));
}

/// A grid that is too coarse has holes, or nothing in it at all.
void require_whole(const Probe& probe, const Shape& grid, double cell) {
  const auto missed = std::count_if(probe.inside.begin(), probe.inside.end(),
                                    [&](const Vec3& point) { return !(grid.distance(point) < 0); });
  constexpr double kMost = 0.25;
  if (static_cast<double>(missed) <= kMost * static_cast<double>(probe.inside.size())) return;
  throw InputError(
      format("a grid with cells of {:.3g} m misses {:.0f}% of the obstacle, which is {:.3g} m thick; use "
             "grid = {{ cell = {:.2g} }} or smaller",
             cell, 100.0 * static_cast<double>(missed) / static_cast<double>(probe.inside.size()),
             probe.thickness, probe.thickness / 4));
}

}  // namespace

Obstacle load_obstacle(const ObstacleKeys& keys) {
  Obstacle obstacle;
  obstacle.name = keys.name;
  if (keys.mesh) {
    read_obstacle_mesh(keys, obstacle);
  } else {
    obstacle.shape = placed_shape(keys);
  }
  if (obstacle.shape->bounds().isEmpty())
    throw InputError("the shape is empty: its parts have nothing in common");
  obstacle.motion = to_motion(keys.motion);
  obstacle.way = contact_way(keys.contact);
  obstacle.friction = keys.friction;
  obstacle.stiffness = keys.stiffness;
  return obstacle;
}

void finish_obstacle(ObstacleKeys& keys, Obstacle& obstacle, const Bounds& scene) {
  if (obstacle.surface.triangles.empty()) obstacle.surface = surface_to_draw(keys, obstacle, scene);
  if (!std::all_of(obstacle.surface.vertices.begin(), obstacle.surface.vertices.end(),
                   [](const Vec3& vertex) { return vertex.allFinite(); }))
    throw InputError("it is too large or too far away for a number; check sizes and places");
  if (!keys.is_from_file() && !keys.grid) return;
  if (obstacle.unbounded())
    throw InputError("a grid would have no end, as the shape has none; leave grid out");
  const Probe probe(*obstacle.shape);
  if (!keys.grid) keys.grid = GridKeys{.cell = usual_cell(*obstacle.shape, probe.thickness)};
  const bool cubic = keys.grid->interpolation == "cubic";
  obstacle.shape = make_grid_shape(*obstacle.shape, keys.grid->cell,
                                   cubic ? GridInterpolation::cubic : GridInterpolation::linear);
  require_whole(probe, *obstacle.shape, keys.grid->cell);
}

}  // namespace pliant
