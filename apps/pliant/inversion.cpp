#include "inversion.hpp"

#include <Eigen/Geometry>

namespace pliant {

namespace {

bool is_inverted(std::span<const int> corners, std::span<const Vec3> x) {
  return corners.size() == 3 ? signed_area(x[corners[0]], x[corners[1]], x[corners[2]]) < 0
                             : signed_volume(x[corners[0]], x[corners[1]], x[corners[2]], x[corners[3]]) < 0;
}

/// Gives each triangle corners of its own, a little above those of the one before.
void stack(TriangleMesh& mesh, double first, double step) {
  TriangleMesh stacked;
  for (const auto& triangle : mesh.triangles) {
    const int next = static_cast<int>(stacked.vertices.size());
    for (const int v : triangle) stacked.vertices.push_back(mesh.vertices[v] + first * Vec3::UnitZ());
    stacked.triangles.push_back({next, next + 1, next + 2});
    first += step;
  }
  mesh = std::move(stacked);
}

}  // namespace

std::vector<Drawable> color_inverted(const TetMesh& rest, const Surface& surface,
                                     std::span<const Vec3> positions) {
  std::vector<Drawable> drawables = {{{}, {0.36, 0.62, 0.32}}, {{}, {0.80, 0.16, 0.14}}};
  Bounds bounds;
  for (Drawable& drawable : drawables)
    for (const int vertex : surface.vertex_of) drawable.mesh.vertices.push_back(positions[vertex]);
  for (const Vec3& x : positions) bounds.extend(x);
  for (size_t t = 0; t < surface.mesh.triangles.size(); ++t) {
    const bool inverted = !rest.thin() && is_inverted(rest.element(surface.element_of[t]), positions);
    drawables[inverted ? 1 : 0].mesh.triangles.push_back(surface.mesh.triangles[t]);
  }
  if (rest.planar()) {
    const double thin = 1e-3 * bounds.diagonal().norm(),
                 step = thin / static_cast<double>(rest.element_count());
    stack(drawables[0].mesh, 0, step);
    stack(drawables[1].mesh, thin, step);
  }
  return drawables;
}

}  // namespace pliant
