#include "pliant/meshing/contour.hpp"

#include "errors.hpp"
#include "pliant/base/error.hpp"
#include "pliant/shape/shapes.hpp"
#include "pliant/shape/surface_shape.hpp"

namespace pliant::contour_test {
namespace {

TriangleMesh contour_of(const ShapePointer& shape, double cell) {
  const Vec3 margin = Vec3::Constant(0.4 * cell);
  const Bounds box(shape->bounds().min() - margin, shape->bounds().max() + 2 * margin);
  return contour(*shape, box, Vec3::Constant(cell));
}

double farthest_from(const Shape& shape, const TriangleMesh& mesh) {
  double worst = 0;
  for (const Vec3& vertex : mesh.vertices) worst = std::max(worst, std::abs(shape.distance(vertex)));
  return worst;
}

double distance_to_nearest_vertex(const TriangleMesh& mesh, const Vec3& place) {
  double nearest = 1e9;
  for (const Vec3& vertex : mesh.vertices) nearest = std::min(nearest, (vertex - place).norm());
  return nearest;
}

TEST(Contour, OfABallIsClosedAndHasItsVolume) {
  const SurfaceReport report = examine(contour_of(make_sphere(1), 0.05));
  EXPECT_EQ(report.boundary_edges, 0);
  EXPECT_EQ(report.components, 1);
  EXPECT_NEAR(report.volume, 4.18879, 0.02);
}

TEST(Contour, LiesOnTheSurface) {
  for (const ShapePointer& shape : {make_sphere(1), make_torus(0.5, 0.2), make_bowl(1, 0.2, 0)})
    EXPECT_LT(farthest_from(*shape, contour_of(shape, 0.05)), 0.003);
}

TEST(Contour, KeepsTheEdgesOfABoxSharp) {
  const ShapePointer box = make_box_shape({1, 0.6, 0.4}, 0);
  const TriangleMesh mesh = contour_of(box, 0.07);
  EXPECT_LT(farthest_from(*box, mesh), 1e-9);
  EXPECT_LT(distance_to_nearest_vertex(mesh, {0.5, 0.3, 0.2}), 1e-9);
  EXPECT_NEAR(examine(mesh).volume, 0.24, 1e-9);
}

TEST(Contour, FacesOutward) { EXPECT_GT(examine(contour_of(make_torus(0.5, 0.2), 0.05)).volume, 0); }

TEST(Contour, OfAnInfiniteShapeEndsAtTheBox) {
  const TriangleMesh mesh =
      contour(*make_half_space({0, 1, 0}), {Vec3(-1, -1.03, -1), Vec3(1, 1, 1)}, Vec3::Constant(0.1));
  ASSERT_FALSE(mesh.triangles.empty());
  for (const Vec3& vertex : mesh.vertices) EXPECT_NEAR(vertex.y(), 0, 1e-12);
}

TEST(Contour, IsEmptyWhereTheBoxHoldsNoSurface) {
  EXPECT_TRUE(
      contour(*make_sphere(1), {Vec3(2, 2, 2), Vec3(3, 3, 3)}, Vec3::Constant(0.1)).triangles.empty());
}

TEST(Contour, RefusesTooManyCells) {
  EXPECT_ERROR(InputError, "cells along a side are too many",
               contour(*make_sphere(1), make_sphere(1)->bounds(), Vec3::Constant(1e-5)));
}

}  // namespace
}  // namespace pliant::contour_test
