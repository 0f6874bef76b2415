#include "pliant/picture/tubes.hpp"

#include <Eigen/Geometry>

namespace pliant::tubes_test {
namespace {

TEST(Tubes, SurroundTheirEdges) {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 2, 2}, {1, 5, 2}};
  const std::vector<std::array<int, 2>> edges{{0, 1}, {1, 2}};
  const TriangleMesh tubes = make_tubes(points, edges, 0.1);
  double area = 0;
  for (const auto& [a, b, c] : tubes.triangles) {
    const Vec3 &x = tubes.vertices[a], &y = tubes.vertices[b], &z = tubes.vertices[c];
    area += (y - x).cross(z - x).norm() / 2;
  }
  EXPECT_NEAR(area, 2 * 8 * 2 * 0.1 * std::sin(std::acos(-1) / 8) * 3, 1e-12)
      << "two prisms of eight sides, 3 m long";
  for (size_t i = 0; i < tubes.vertices.size(); ++i) {
    const auto& [a, b] = edges[i / 16];
    const Vec3 along = (points[b] - points[a]).normalized(), offset = tubes.vertices[i] - points[a];
    EXPECT_NEAR((offset - along * along.dot(offset)).norm(), 0.1, 1e-12);
  }
  // Outward: the normal of a triangle points away from its edge.
  const auto& [a, b, c] = tubes.triangles[0];
  const Vec3 normal = (tubes.vertices[b] - tubes.vertices[a]).cross(tubes.vertices[c] - tubes.vertices[a]);
  EXPECT_GT(normal.dot(tubes.vertices[a] - points[0]), 0);
}

}  // namespace
}  // namespace pliant::tubes_test
