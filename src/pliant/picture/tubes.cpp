#include "pliant/picture/tubes.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace pliant {

TriangleMesh make_tubes(std::span<const Vec3> points, std::span<const std::array<int, 2>> edges,
                        double radius) {
  constexpr int kSides = 8;
  TriangleMesh tubes;
  for (const auto& [a, b] : edges) {
    const Vec3 along = (points[b] - points[a]).stableNormalized();
    const Vec3 across = along.unitOrthogonal(), normal = along.cross(across);
    const int first = static_cast<int>(tubes.vertices.size());
    for (int side = 0; side < kSides; ++side) {
      const double angle = 2 * std::numbers::pi * side / kSides;
      const Vec3 out = radius * (std::cos(angle) * across + std::sin(angle) * normal);
      tubes.vertices.push_back(points[a] + out);
      tubes.vertices.push_back(points[b] + out);
      const int p = first + 2 * side, q = first + 2 * ((side + 1) % kSides);
      tubes.triangles.push_back({p, q, q + 1});
      tubes.triangles.push_back({p, q + 1, p + 1});
    }
  }
  return tubes;
}

}  // namespace pliant
