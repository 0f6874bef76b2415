#include "pliant/spatial/surface_tree.hpp"

#include <algorithm>

#include "meshes.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"

namespace pliant::surface_tree_test {
namespace {

using testing::cube;
using testing::positions;
using testing::random_vector;

constexpr int kBefore = 5;  // vertices of others

struct MovedSurface {
  std::vector<std::array<int, 3>> triangles;
  Vector rest, now;
};

MovedSurface moved_surface(int cells, double by, unsigned seed) {
  const TetMesh mesh = cube(cells);
  const Surface surface = extract_surface(mesh);
  MovedSurface moved{surface.mesh.triangles, {}, {}};
  for (auto& triangle : moved.triangles)
    for (int& corner : triangle) corner = surface.vertex_of[corner];
  const Vector own = positions(mesh);
  moved.rest = Vector::Zero(3 * kBefore + own.size());
  moved.rest.tail(own.size()) = own;
  moved.now = moved.rest + by / cells * random_vector(moved.rest.size(), seed);
  return moved;
}

ClosestPoint closest_of_all(const MovedSurface& moved, const Vec3& point, int excluded_vertex) {
  ClosestPoint best;
  best.squared_distance = std::numeric_limits<double>::infinity();
  for (size_t t = 0; t < moved.triangles.size(); ++t) {
    if (std::ranges::count(moved.triangles[t], excluded_vertex - kBefore) > 0) continue;
    const auto corner = [&](int k) -> Vec3 {
      return moved.now.segment<3>(3 * (kBefore + moved.triangles[t][k]));
    };
    ClosestPoint here = closest_point(point, corner(0), corner(1), corner(2));
    here.triangle = static_cast<int>(t);
    if (here.squared_distance < best.squared_distance) best = here;
  }
  return best;
}

void expect_same(const ClosestPoint& a, const ClosestPoint& b) {
  EXPECT_EQ(a.triangle, b.triangle);
  EXPECT_EQ(a.squared_distance, b.squared_distance);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.feature, b.feature);
  EXPECT_EQ(a.which, b.which);
}

/// Random points, the vertices themselves, and points as far from many triangles: the middle, places above
/// edges and vertices of the resting cube.
std::vector<Vec3> places(const MovedSurface& moved) {
  Random random(1);
  std::vector<Vec3> points{Vec3::Zero(), {0, 0.25, 0}, {0.25, 0.6, 0.25}, {0.7, 0.7, 0.7}};
  for (int i = 0; i < 500; ++i)
    points.push_back(1.6 * Vec3(random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5));
  for (int v = kBefore; v < moved.now.size() / 3; ++v) points.push_back(moved.now.segment<3>(3 * v));
  return points;
}

TEST(SurfaceTree, FindsWhatTryingAllFinds) {
  for (const double by : {0.0, 0.3, 1.5}) {
    const MovedSurface moved = moved_surface(6, by, 3);
    SurfaceTree tree(moved.triangles, moved.rest, kBefore);
    tree.refit(moved.now);
    for (const Vec3& point : places(moved))
      expect_same(tree.closest(point, -1), closest_of_all(moved, point, -1));
  }
}

TEST(SurfaceTree, LeavesOutTheTrianglesOfAVertex) {
  const MovedSurface moved = moved_surface(5, 0.4, 7);
  SurfaceTree tree(moved.triangles, moved.rest, kBefore);
  tree.refit(moved.now);
  for (int v = kBefore; v < moved.now.size() / 3; ++v) {
    const Vec3 point = moved.now.segment<3>(3 * v);
    const ClosestPoint found = tree.closest(point, v);
    expect_same(found, closest_of_all(moved, point, v));
    EXPECT_EQ(std::ranges::count(tree.vertices_of(found.triangle), v), 0);
    EXPECT_GT(found.squared_distance, 0);
  }
}

TEST(SurfaceTree, GivesTheSameAnswerForAnyBound) {
  for (const double by : {0.0, 0.5}) {
    const MovedSurface moved = moved_surface(6, by, 2);
    SurfaceTree tree(moved.triangles, moved.rest, kBefore);
    tree.refit(moved.now);
    Random random(3);
    for (const Vec3& point : places(moved)) {
      const ClosestPoint unbounded = tree.closest(point, -1);
      for (int i = 0; i < 5; ++i) {
        const auto remembered = static_cast<int>(random.next() % moved.triangles.size());
        const ClosestPoint there = tree.closest_of(remembered, point);
        EXPECT_EQ(there.triangle, remembered);
        expect_same(tree.closest(point, -1, there.squared_distance), unbounded);
      }
      expect_same(tree.closest(point, -1, unbounded.squared_distance), unbounded);
    }
  }
}

TEST(SurfaceTree, FindsNothingWithinTooSmallABound) {
  const MovedSurface moved = moved_surface(3, 0, 2);
  const SurfaceTree tree(moved.triangles, moved.rest, kBefore);
  EXPECT_EQ(tree.closest({1.5, 0, 0}, -1, 0.99).triangle, -1);
  EXPECT_GE(tree.closest({1.5, 0, 0}, -1, 1.0).triangle, 0);
  EXPECT_EQ(SurfaceTree({}, moved.rest, 0).closest(Vec3::Zero(), -1).triangle, -1);
}

TEST(SurfaceTree, OfEquallyCloseTrianglesTakesTheFirst) {
  const MovedSurface moved = moved_surface(1, 0, 2);
  const SurfaceTree tree(moved.triangles, moved.rest, kBefore);
  EXPECT_EQ(tree.closest(Vec3::Zero(), -1).triangle, 0);
}

TEST(SurfaceTree, RefittedAnswersAsOneBuiltThere) {
  const MovedSurface moved = moved_surface(6, 0.6, 4);
  SurfaceTree refitted(moved.triangles, moved.rest, kBefore);
  refitted.refit(moved_surface(6, 3, 1).now);
  refitted.refit(moved.now);
  const SurfaceTree fresh(moved.triangles, moved.now, kBefore);
  for (const Vec3& point : places(moved)) expect_same(refitted.closest(point, -1), fresh.closest(point, -1));
}

TEST(SurfaceTree, IsExactFarFromTheOrigin) {
  MovedSurface moved = moved_surface(4, 0.3, 4);
  moved.now.array() += 1e6;
  SurfaceTree tree(moved.triangles, moved.rest, kBefore);
  tree.refit(moved.now);
  for (const Vec3& place : places(moved_surface(4, 0.3, 4))) {
    const Vec3 point = place.array() + 1e6;
    expect_same(tree.closest(point, -1), closest_of_all(moved, point, -1));
  }
}

TEST(SurfaceTree, IsTheSameForAnyNumberOfThreads) {
  const MovedSurface moved = moved_surface(24, 0.6, 4);
  ASSERT_GT(moved.triangles.size(), 4096u);
  std::vector<int> first;
  for (const int count : {1, 2, 5}) {
    set_threads(count);
    SurfaceTree tree(moved.triangles, moved.rest, kBefore);
    tree.refit(moved.now);
    std::vector<int> found(moved.now.size() / 3);
    parallel_chunks(std::ssize(found), 64, [&](Index begin, Index end) {
      for (Index v = begin; v < end; ++v)
        found[v] = tree.closest(moved.now.segment<3>(3 * v), static_cast<int>(v)).triangle;
    });
    if (first.empty()) first = found;
    EXPECT_EQ(found, first) << count << " threads";
  }
  set_threads(0);
}

TEST(ClosestPoint, NamesTheCornerOrTheOppositeOfTheEdge) {
  using Feature = ClosestPoint::Feature;
  const std::array<Vec3, 3> x{Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(0, 2, 0)};
  const auto ask = [&](const Vec3& point) { return closest_point(point, x[0], x[1], x[2]); };
  for (int k = 0; k < 3; ++k) {
    const Vec3 middle = (x[(k + 1) % 3] + x[(k + 2) % 3]) / 2;
    const ClosestPoint beyond = ask(middle + 0.3 * (middle - x[k]) + Vec3(0, 0, 1));
    EXPECT_EQ(beyond.feature, Feature::edge);
    EXPECT_EQ(beyond.which, k);
    EXPECT_EQ(beyond.weights[k], 0);
    const ClosestPoint at_corner = ask(x[k] + (x[k] - middle) + Vec3(0, 0, 1));
    EXPECT_EQ(at_corner.feature, Feature::corner);
    EXPECT_EQ(at_corner.which, k);
    EXPECT_EQ(at_corner.weights, Vec3(Vec3::Unit(k)));
  }
}

TEST(ClosestPoint, IsOnAnEdgeWhereTheTriangleIsALineOrAPoint) {
  Random random(4);
  const auto anywhere = [&] { return Vec3(random.uniform(), random.uniform(), random.uniform()); };
  for (int i = 0; i < 2000; ++i) {
    const Vec3 a = anywhere(), along = anywhere(), to = anywhere();
    const double s = i % 5 == 0 ? 0 : random.uniform(), t = i % 7 == 0 ? s : 2 * random.uniform();
    const ClosestPoint found = closest_point(to, a, a + s * along, a + t * along);
    EXPECT_TRUE(found.weights.allFinite());
    EXPECT_GE(found.weights.minCoeff(), 0);
    EXPECT_NEAR(found.weights.sum(), 1, 1e-15);
    const double reach =
        std::clamp(along.dot(to - a) / along.squaredNorm(), std::min(0.0, t), std::max({0.0, s, t}));
    EXPECT_NEAR(found.squared_distance, (to - a - reach * along).squaredNorm(), 1e-14);
  }
}

}  // namespace
}  // namespace pliant::surface_tree_test
