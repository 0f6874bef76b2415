#include "pliant/shape/surface_shape.hpp"

#include "errors.hpp"
#include "mesh/mesh_checks.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "pliant/mesh/box.hpp"
#include "pliant/mesh/quality.hpp"
#include "pliant/meshing/mesher.hpp"
#include "pliant/shape/shapes.hpp"
#include "pliant/spatial/triangle_tree.hpp"

namespace pliant::surface_shape_test {
namespace {

TriangleMesh surface_of(const ShapePointer& shape, double cell, bool sharp = false) {
  return extract_surface(mesh_shape(*shape, {.cell = cell, .sharp = sharp})).mesh;
}

Vec3 random_point(Random& random, double size) {
  return size * Vec3(random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5);
}

TEST(TriangleTree, FindsWhatLookingAtEveryTriangleFinds) {
  const TriangleTree tree(surface_of(make_torus(0.5, 0.2), 0.08));
  const TriangleMesh& mesh = tree.mesh();
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Vec3 x = random_point(random, 2);
    double best = 1e300, angle = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
      best = std::min(
          best, closest_point(x, mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]).squared_distance);
      angle += solid_angle(x, mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]);
    }
    const ClosestPoint found = tree.closest(x);
    EXPECT_EQ(found.squared_distance, best);
    EXPECT_NEAR(found.weights.sum(), 1, 1e-12);
    EXPECT_NEAR(tree.winding_number(x), angle / (4 * M_PI), 0.02);
  }
}

TEST(TriangleTree, FindsTheClosestPointOfATriangleInEveryRegion) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  Random random(9);
  for (int i = 0; i < 500; ++i) {
    const Vec3 x = random_point(random, 4);
    const ClosestPoint found = closest_point(x, a, b, c);
    double sampled = 1e300;
    for (int u = 0; u <= 60; ++u)
      for (int v = 0; u + v <= 60; ++v)
        sampled = std::min(sampled, (x - Vec3(u / 60.0, v / 60.0, 0)).squaredNorm());
    EXPECT_LE(found.squared_distance, sampled + 1e-12);
    EXPECT_NEAR(std::sqrt(found.squared_distance), std::sqrt(sampled), 0.02);
  }
}

TEST(SurfaceShape, HasTheDistanceOfTheShapeItWasMadeFrom) {
  const ShapePointer box = make_box_shape({1, 0.8, 0.6}, 0);
  const ShapePointer read = make_surface_shape(surface_of(box, 0.1, true), "box.obj");
  Random random(11);
  for (int i = 0; i < 500; ++i) {
    const Vec3 x = random_point(random, 2);
    EXPECT_NEAR(read->distance(x), box->distance(x), 1e-9) << x.transpose();
    const Jet jet = read->distance_jet(x), exact = box->distance_jet(x);
    if (exact.value > 0.01) {
      EXPECT_LT((jet.gradient - exact.gradient).norm(), 1e-6) << x.transpose();
      EXPECT_LT((jet.hessian - exact.hessian).norm(), 1e-5) << x.transpose();
    }
  }
}

TEST(SurfaceShape, FillsAsTheShapeItself) {
  const ShapePointer torus = make_torus(0.5, 0.2);
  const TetMesh filled =
      mesh_shape(*make_surface_shape(surface_of(torus, 0.02), "torus.obj"), {.cell = 0.06});
  EXPECT_TRUE(find_defects(filled).empty());
  EXPECT_NEAR(volume(filled), volume(mesh_shape(*torus, {.cell = 0.06})), 2e-3 * volume(filled));
  const MeshQuality quality = measure_quality(filled);
  EXPECT_GT(quality.smallest_angle, 8);
  EXPECT_LT(quality.largest_angle, 165);
}

TEST(SurfaceShape, DoesNotMindSmallHolesTurnedTrianglesAndOverlaps) {
  TriangleMesh mesh = surface_of(make_sphere(0.5), 0.05);
  mesh.triangles.erase(mesh.triangles.begin() + 100, mesh.triangles.begin() + 103);
  std::swap(mesh.triangles[500][0], mesh.triangles[500][1]);
  const size_t vertices = mesh.vertices.size(), triangles = mesh.triangles.size();
  for (size_t v = 0; v < vertices; ++v) mesh.vertices.push_back(mesh.vertices[v] + Vec3(0.3, 0, 0));
  for (size_t t = 0; t < triangles; ++t) {
    auto copy = mesh.triangles[t];
    for (int& v : copy) v += static_cast<int>(vertices);
    mesh.triangles.push_back(copy);
  }
  const TetMesh filled = mesh_shape(*make_surface_shape(mesh, "two.stl"), {.cell = 0.07});
  EXPECT_TRUE(find_defects(filled).empty());
  EXPECT_EQ(measure_quality(filled).components, 1);
  // Two balls of radius 1/2, 0.3 apart: what they share is a lens of the height 0.7.
  const double lens = M_PI * (4 * 0.5 + 0.3) * (1 - 0.3) * (1 - 0.3) / 12;
  EXPECT_NEAR(volume(filled), 2 * M_PI / 6 - lens, 0.01);
}

TEST(SurfaceShape, TurnsASurfaceThatIsInsideOut) {
  TriangleMesh mesh = surface_of(make_sphere(0.5), 0.1);
  for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
  EXPECT_LT(make_surface_shape(mesh, "a.ply")->distance(Vec3::Zero()), 0);
}

TEST(SurfaceShape, WeldsVerticesAtTheSamePlace) {
  const TriangleMesh mesh = surface_of(make_sphere(0.5), 0.1);
  TriangleMesh soup;
  for (const auto& t : mesh.triangles) {
    const int first = static_cast<int>(soup.vertices.size());
    for (const int v : t) soup.vertices.push_back(mesh.vertices[v]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  EXPECT_EQ(examine(soup).boundary_edges, 3 * std::ssize(soup.triangles));
  const TriangleMesh welded = weld(soup);
  EXPECT_EQ(welded.vertices.size(), mesh.vertices.size());
  EXPECT_EQ(examine(welded).boundary_edges, 0);
  EXPECT_EQ(examine(welded).components, 1);
}

TEST(SurfaceShape, RefusesAnOpenSurfaceAndSaysWhereItIsOpen) {
  TriangleMesh mesh = surface_of(make_sphere(0.5), 0.1);
  std::erase_if(mesh.triangles, [&](const auto& t) { return mesh.vertices[t[0]].y() > 0.2; });
  const std::string complaint = complaints_of([&] { make_surface_shape(mesh, "cup.obj"); });
  EXPECT_NE(complaint.find("cup.obj: the surface is open"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("boundary edges in 1 hole"), std::string::npos) << complaint;
}

TEST(SurfaceShape, RefusesWhatEnclosesNothing) {
  const TriangleMesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_NE(complaints_of([&] { make_surface_shape(flat, "a.obj"); }).find("encloses no volume"),
            std::string::npos);
  EXPECT_NE(complaints_of([&] { make_surface_shape({}, "a.obj"); }).find("no triangles"), std::string::npos);
}

TEST(SurfaceShape, CarriesFieldsOverToPointsNearby) {
  const TriangleMesh mesh = surface_of(make_sphere(0.5), 0.1);
  std::vector<double> height;
  for (const Vec3& x : mesh.vertices) height.push_back(x.y());
  const std::vector<Vec3> points{{0.5, 0, 0}, {0.3, 0.4, 0}, {0.29, 0.39, 0}};
  const std::vector<double> carried = carry_over(mesh, {{"height", 1, height}}, points)[0].values;
  for (size_t i = 0; i < points.size(); ++i) EXPECT_NEAR(carried[i], points[i].y(), 0.02);
}

TEST(SurfaceShape, RefusesSizesWhoseProductsAreNoNumbers) {
  for (const double side : {1e80, 1e-80}) {
    TriangleMesh box = extract_surface(make_box({Vec3(1, 1, 1), {1, 1, 1}, 6})).mesh;
    for (Vec3& vertex : box.vertices) vertex *= side;
    EXPECT_ERROR(InputError, "box: the surface", make_surface_shape(box, "box")) << side;
  }
}

TEST(SurfaceShape, DoesNotMindVerticesThatNothingUses) {
  TriangleMesh box = extract_surface(make_box({Vec3(1, 1, 1), {1, 1, 1}, 6})).mesh;
  box.vertices.push_back(Vec3(1000, 0, 0));
  EXPECT_NEAR(make_surface_shape(box, "box")->bounds().max().x(), 0.5, 1e-12);
}

TEST(SurfaceShape, KeepsItsEdgesAndCornersWhereAsked) {
  const TriangleMesh box = extract_surface(make_box({Vec3(1, 0.7, 0.5), {1, 1, 1}, 6})).mesh;
  for (const double cell : {0.1, 0.09, 0.07, 0.06, 0.045}) {
    const MeshQuality quality =
        measure_quality(mesh_shape(*make_surface_shape(box, "box"), {.cell = cell, .sharp = true}));
    EXPECT_NEAR(quality.volume, 0.35, 1e-9) << cell;
    EXPECT_NEAR((quality.size - Vec3(1, 0.7, 0.5)).norm(), 0, 1e-9) << cell;
    EXPECT_GT(quality.smallest_angle, 8) << cell;
    EXPECT_LT(quality.largest_angle, 165) << cell;
  }
}

}  // namespace
}  // namespace pliant::surface_shape_test
