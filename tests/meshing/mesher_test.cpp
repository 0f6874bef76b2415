#include "pliant/meshing/mesher.hpp"

#include <map>

#include "mesh/mesh_checks.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/mesh/quality.hpp"
#include "pliant/shape/figures.hpp"
#include "pliant/shape/shapes.hpp"

namespace pliant::mesher_test {
namespace {

/// What the surface encloses; with no gap and no overlap inside it is the sum of the elements.
double enclosed_volume(const TriangleMesh& surface) {
  double sum = 0;
  for (const auto& [a, b, c] : surface.triangles)
    sum += surface.vertices[a].dot(surface.vertices[b].cross(surface.vertices[c])) / 6;
  return sum;
}

/// Every edge of the surface has as many triangles on one side as on the other.
bool is_closed(const TriangleMesh& surface) {
  std::map<std::pair<int, int>, int> balance;
  for (const auto& t : surface.triangles)
    for (int i = 0; i < 3; ++i) {
      const int a = t[i], b = t[(i + 1) % 3];
      balance[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  return std::all_of(balance.begin(), balance.end(), [](const auto& entry) { return entry.second == 0; });
}

void expect_sound(const TetMesh& mesh, const std::string& what) {
  EXPECT_TRUE(find_defects(mesh).empty()) << what;
  const TriangleMesh surface = extract_surface(mesh).mesh;
  EXPECT_TRUE(is_closed(surface)) << what;
  EXPECT_NEAR(enclosed_volume(surface), volume(mesh), 1e-11) << what;
}

double between(Random& random, double low, double high) { return low + (high - low) * random.uniform(); }

ShapePointer random_part(Random& random) {
  switch (random.next() % 5) {
    case 0:
      return make_sphere(between(random, 0.3, 0.5));
    case 1:
      return make_ellipsoid(
          {between(random, 0.3, 0.6), between(random, 0.3, 0.6), between(random, 0.3, 0.6)});
    case 2:
      return make_torus(between(random, 0.4, 0.6), between(random, 0.2, 0.3));
    case 3:
      return make_capsule(between(random, 0.2, 0.8), between(random, 0.2, 0.3));
    default:
      return make_box_shape({between(random, 0.6, 1), between(random, 0.6, 1), between(random, 0.6, 1)},
                            0.25);
  }
}

/// One part or two that grow together, turned and moved at random.
ShapePointer random_shape(Random& random) {
  const auto placed = [&](double reach) {
    const Eigen::Quaterniond turn(random.uniform() + 0.1, random.uniform(), random.uniform(),
                                  random.uniform());
    return moved(random_part(random), 1, turn.normalized(),
                 reach * Vec3(random.uniform(), random.uniform(), random.uniform()));
  };
  const ShapePointer first = placed(0.1);
  return random.next() % 2 == 0 ? first : blend(first, placed(0.5), 0.4);
}

TEST(Mesher, FillsTwoHundredRandomSmoothShapesWithWellShapedTetrahedra) {
  Random random(2024);
  double smallest = 180, largest = 0;
  for (int i = 0; i < 200; ++i) {
    const ShapePointer shape = random_shape(random);
    const TetMesh mesh = mesh_shape(*shape, {.cell = between(random, 0.06, 0.1)});
    expect_sound(mesh, "shape " + std::to_string(i));
    const MeshQuality quality = measure_quality(mesh);
    smallest = std::min(smallest, quality.smallest_angle);
    largest = std::max(largest, quality.largest_angle);
  }
  EXPECT_GT(smallest, 8);
  EXPECT_LT(largest, 165);
  RecordProperty("smallest_dihedral_angle", std::to_string(smallest));
  RecordProperty("largest_dihedral_angle", std::to_string(largest));
}

TEST(Mesher, KeepsItsAnglesAtInnerEdges) {
  Random random(11);
  for (int i = 0; i < 20; ++i) {
    const Vec3 axis(random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5);
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(6 * random.uniform(), axis.normalized()));
    const ShapePointer shell = moved(hollow(make_box_shape(Vec3::Ones(), 0), 0.25), 1, turn, Vec3::Zero());
    const MeshQuality quality =
        measure_quality(mesh_shape(*shell, {.cell = 0.1 + 0.02 * random.uniform(), .sharp = true}));
    EXPECT_GT(quality.smallest_angle, 8) << i;
    EXPECT_LT(quality.largest_angle, 165) << i;
    EXPECT_NEAR(quality.volume, 0.875, 0.01) << i;
  }
}

TEST(Mesher, KeepsItsAnglesWhereCellsChangeInSize) {
  Random random(7);
  for (int i = 0; i < 40; ++i) {
    const ShapePointer shape = random_shape(random);
    const TetMesh mesh = mesh_shape(
        *shape, {.cell = 0.1, .grading = 0.5, .refinements = {{Vec3(random.uniform(), 0, 0.2), 0.2, 0.03}}});
    expect_sound(mesh, "shape " + std::to_string(i));
    const MeshQuality quality = measure_quality(mesh);
    EXPECT_GT(quality.smallest_angle, 8) << i;
    EXPECT_LT(quality.largest_angle, 165) << i;
  }
}

void expect_second_order(const Shape& shape, double exact) {
  const auto error = [&](double cell) { return std::abs(volume(mesh_shape(shape, {.cell = cell})) - exact); };
  const double order = std::log2(error(0.1) / error(0.025)) / 2;
  EXPECT_GT(order, 1.8);
  EXPECT_LT(order, 2.2);
}

TEST(Mesher, GetsTheVolumeRightToSecondOrder) {
  expect_second_order(*make_sphere(0.5), M_PI / 6);
  expect_second_order(*make_torus(0.5, 0.2), 2 * M_PI * M_PI * 0.5 * 0.2 * 0.2);
  expect_second_order(*make_ellipsoid({0.6, 0.5, 0.4}), 4 * M_PI / 3 * 0.6 * 0.5 * 0.4);
}

TEST(Mesher, PutsTheSurfaceOntoTheSurface) {
  const ShapePointer torus = make_torus(0.5, 0.2);
  for (const Vec3& x : extract_surface(mesh_shape(*torus, {.cell = 0.06})).mesh.vertices)
    EXPECT_NEAR(torus->distance(x), 0, 1e-10);
}

TEST(Mesher, GivesTheSameMeshForAnyNumberOfThreads) {
  const ShapePointer teddy = make_teddy(1);
  set_threads(1);
  const TetMesh one = mesh_shape(*teddy, {.cell = 0.04});
  set_threads(3);
  const TetMesh three = mesh_shape(*teddy, {.cell = 0.04});
  set_threads(0);
  EXPECT_TRUE(same_bits(one, three));
}

TEST(Mesher, MakesSymmetricMeshesOfSymmetricShapes) {
  const TetMesh mesh = mesh_shape(*make_sphere(0.5), {.cell = 0.1});
  Vec3 sum = Vec3::Zero();
  for (const Vec3& x : mesh.vertices) sum += x;
  EXPECT_LT(sum.norm(), 1e-9);
}

TEST(Mesher, CoarsensInsideWhereGraded) {
  const ShapePointer sphere = make_sphere(0.5);
  const TetMesh even = mesh_shape(*sphere, {.cell = 0.04}),
                graded = mesh_shape(*sphere, {.cell = 0.04, .grading = 1});
  EXPECT_LT(graded.tets.size(), 0.7 * even.tets.size());
  EXPECT_EQ(extract_surface(graded).mesh.vertices.size(), extract_surface(even).mesh.vertices.size());
  EXPECT_NEAR(volume(graded), volume(even), 1e-12);
}

TEST(Mesher, KeepsSharpEdgesWhereAsked) {
  const ShapePointer box = make_box_shape({1, 0.7, 0.5}, 0);
  EXPECT_LT(volume(mesh_shape(*box, {.cell = 0.09})), 0.3499);
  for (const double cell : {0.1, 0.09, 0.07, 0.06, 0.045}) {
    const TetMesh sharp = mesh_shape(*box, {.cell = cell, .sharp = true});
    expect_sound(sharp, "box");
    EXPECT_NEAR(volume(sharp), 0.35, 1e-9) << cell;
    int corners = 0;
    for (const Vec3& x : sharp.vertices) corners += (x.cwiseAbs() - Vec3(0.5, 0.35, 0.25)).norm() < 1e-12;
    EXPECT_EQ(corners, 8) << cell;
  }
}

TEST(Mesher, KeepsTheSharpEdgesOfTurnedAndCurvedShapesSound) {
  const Eigen::Quaterniond turn = Eigen::Quaterniond(0.9, 0.2, 0.3, 0.1).normalized();
  const ShapePointer box = moved(make_box_shape({1, 0.7, 0.5}, 0), 1, turn, {0.3, 0, 0});
  for (const double cell : {0.05, 0.07, 0.1}) {
    const TetMesh sharp = mesh_shape(*box, {.cell = cell, .sharp = true});
    expect_sound(sharp, "turned box");
    const double missing = 0.35 - volume(sharp), before = 0.35 - volume(mesh_shape(*box, {.cell = cell}));
    EXPECT_LT(std::abs(missing), 0.2 * before) << cell;
  }
  for (const ShapePointer& shape :
       {make_cylinder(0.5, 1), make_cone(0.5, 0, 1), make_plate({1, 0.2, 1}, 0.3),
        subtract(make_box_shape({1, 1, 1}, 0), moved(make_sphere(0.4), 1, turn, {0.5, 0.5, 0.5}))}) {
    const TetMesh sharp = mesh_shape(*shape, {.cell = 0.06, .sharp = true});
    expect_sound(sharp, "shape with sharp edges");
    EXPECT_GT(measure_quality(sharp).smallest_angle, 5);
  }
}

TEST(Mesher, SaysWhatIsWrong) {
  const ShapePointer sphere = make_sphere(1);
  EXPECT_NE(complaints_of([&] { mesh_shape(*sphere, {.cell = 0}); }).find("cell is 0; it must be positive"),
            std::string::npos);
  EXPECT_NE(complaints_of([&] { mesh_shape(*sphere, {.cell = 1e-7}); }).find("too small"), std::string::npos);
  EXPECT_NE(complaints_of([&] { mesh_shape(*sphere, {.cell = 0.002}); }).find("would be more than"),
            std::string::npos);
  EXPECT_NE(complaints_of([&] {
              mesh_shape(*make_half_space({0, 1, 0}), {.cell = 0.1});
            }).find("infinite"),
            std::string::npos);
  const ShapePointer far = moved(make_sphere(1), 1, Eigen::Quaterniond::Identity(), {5, 0, 0});
  EXPECT_NE(complaints_of([&] { mesh_shape(*intersect(sphere, far), {.cell = 0.1}); }).find("empty"),
            std::string::npos);
}

TEST(Mesher, AnglesOfARegularTetrahedronAreKnown) {
  for (const double angle : dihedral_angles({1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}))
    EXPECT_NEAR(angle, std::acos(1.0 / 3) * 180 / M_PI, 1e-12);
  TetMesh regular{{{1, 1, 1}, {1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}}, {{0, 1, 2, 3}}};
  const MeshQuality quality = measure_quality(regular);
  EXPECT_NEAR(quality.smallest_ratio, 1, 1e-12);
  EXPECT_NEAR(quality.shortest_edge, std::sqrt(8.0), 1e-12);
  EXPECT_EQ(quality.components, 1);
  EXPECT_EQ(quality.angles[7], 6);
}

}  // namespace
}  // namespace pliant::mesher_test
