#include "pliant/spatial/tet_tree.hpp"

#include <algorithm>

#include "meshes.hpp"
#include "pliant/base/random.hpp"

namespace pliant::tet_tree_test {
namespace {

using testing::cube;
using testing::positions;
using testing::random_vector;

/// Other vertices come before those of the body.
constexpr int kBefore = 7;

struct Moved {
  TetMesh mesh;
  Vector rest, now;
};

/// A cube whose vertices are moved by up to so many cells; from about half a cell on, elements turn inside
/// out.
Moved moved_cube(int cells, double by, unsigned seed) {
  Moved moved{cube(cells), {}, {}};
  const Vector own = positions(moved.mesh);
  moved.rest = Vector::Zero(3 * kBefore + own.size());
  moved.rest.tail(own.size()) = own;
  moved.now = moved.rest + by / cells * random_vector(moved.rest.size(), seed);
  return moved;
}

Vec3 random_point(Random& random) {
  return 1.4 * Vec3(random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5);
}

std::array<Vec3, 4> corners_in(const std::array<int, 4>& tet, const Vector& x) {
  std::array<Vec3, 4> corners;
  for (int k = 0; k < 4; ++k) corners[k] = x.segment<3>(3 * (kBefore + tet[k]));
  return corners;
}

std::vector<int> all_containing(const Moved& moved, const Vec3& point) {
  std::vector<int> found;
  for (size_t t = 0; t < moved.mesh.tets.size(); ++t)
    if (tet_contains(corners_in(moved.mesh.tets[t], moved.now), point)) found.push_back(static_cast<int>(t));
  return found;
}

std::vector<int> found_by(const TetTree& tree, const Vec3& point) {
  std::vector<int> found;
  tree.for_each_containing(point, [&](int tet) {
    found.push_back(tet);
    return true;
  });
  std::sort(found.begin(), found.end());
  return found;
}

TEST(TetContains, CountsTheBorderAndNothingBeyond) {
  const std::array<Vec3, 4> tet{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  const std::array<Vec3, 4> inverted{tet[0], tet[2], tet[1], tet[3]};
  for (const auto& corners : {tet, inverted}) {
    for (const Vec3& corner : corners) EXPECT_TRUE(tet_contains(corners, corner));
    EXPECT_TRUE(tet_contains(corners, {0.2, 0.2, 0.2}));
    EXPECT_TRUE(tet_contains(corners, {0.5, 0, 0}));
    EXPECT_TRUE(tet_contains(corners, {0.25, 0.25, 0}));
    EXPECT_TRUE(tet_contains(corners, {0.25, 0.25, 0.5}));
    EXPECT_FALSE(tet_contains(corners, {0.25, 0.25, -1e-12}));
    EXPECT_FALSE(tet_contains(corners, {0.25, 0.25, 0.5 + 1e-12}));
    EXPECT_FALSE(tet_contains(corners, {0.9, 0.9, 0.9}));
    EXPECT_FALSE(tet_contains(corners, {NAN, 0.2, 0.2}));
  }
}

TEST(TetContains, IsFalseForFlatOnes) {
  const Vec3 a(0, 0, 0), b(1, 0.3, 0.2), c(0.1, 1, 0.4);
  for (const Vec3& d : {Vec3(0.4 * b + 0.4 * c), a, Vec3(b + 1e-15 * Vec3(0, 0, 1))})
    for (const Vec3& point : {a, b, c, Vec3((a + b + c) / 3), Vec3(b / 2)})
      EXPECT_FALSE(tet_contains({a, b, c, d}, point));
}

TEST(TetContains, LeavesNoGapBetweenNeighbours) {
  Random random(5);
  const auto direction = [&] { return Vec3(random.uniform(), random.uniform(), random.uniform()); };
  for (int i = 0; i < 20000; ++i) {
    const Vec3 a = direction(), b = direction(), c = direction();
    const Vec3 away = (b - a).cross(c - a).normalized();
    const double s = random.uniform(), t = random.uniform() * (1 - s);
    const Vec3 between = a + s * (b - a) + t * (c - a), middle = (a + b + c) / 3;
    EXPECT_TRUE(tet_contains({a, b, c, middle + 0.4 * away}, between) ||
                tet_contains({a, c, b, middle - 0.3 * away}, between));
  }
}

TEST(TetTree, FindsWhatTryingAllFinds) {
  for (const double by : {0.0, 0.3, 1.5}) {
    const Moved moved = moved_cube(5, by, 3);
    TetTree tree(moved.mesh.tets, moved.rest, kBefore);
    tree.refit(moved.now);
    Random random(1);
    size_t most = 0;
    for (int i = 0; i < 1000; ++i) {
      const Vec3 point = random_point(random);
      const std::vector<int> all = all_containing(moved, point);
      EXPECT_EQ(found_by(tree, point), all);
      most = std::max(most, all.size());
    }
    // Points on borders: the vertices themselves.
    for (Index v = kBefore; v < moved.now.size() / 3; ++v) {
      const Vec3 point = moved.now.segment<3>(3 * v);
      EXPECT_EQ(found_by(tree, point), all_containing(moved, point));
    }
    EXPECT_GT(most, by < 1 ? 0u : 4u) << "elements should overlap";
  }
}

TEST(TetTree, LeavesOutTheElementsOfAVertex) {
  const Moved moved = moved_cube(4, 1.0, 8);
  TetTree tree(moved.mesh.tets, moved.rest, kBefore);
  tree.refit(moved.now);
  int collisions = 0;
  for (int v = kBefore; v < moved.now.size() / 3; ++v) {
    const Vec3 point = moved.now.segment<3>(3 * v);
    std::vector<int> others = all_containing(moved, point);
    EXPECT_FALSE(others.empty());
    std::erase_if(others, [&](int t) { return std::ranges::count(moved.mesh.tets[t], v - kBefore) > 0; });
    const int found = tree.first_containing(point, v);
    EXPECT_EQ(found < 0, others.empty());
    EXPECT_EQ(std::ranges::count(others, found), found >= 0 ? 1 : 0);
    EXPECT_GE(tree.first_containing(point, -1), 0);
    collisions += found >= 0;
  }
  EXPECT_GT(collisions, 10);
}

TEST(TetTree, SaysThatNothingComesNearOnlyWhereNothingDoes) {
  for (const double by : {0.0, 0.3, 1.5}) {
    const Moved moved = moved_cube(3, by, 5);
    TetTree tree(moved.mesh.tets, moved.rest, kBefore);
    tree.refit(moved.now);
    Random random(2);
    int far = 0, within = 0;
    for (int i = 0; i < 400; ++i) {
      // A point of an element, and another one close to it.
      const auto& tet =
          moved.mesh
              .tets[static_cast<size_t>(random.uniform() * static_cast<double>(moved.mesh.tets.size()))];
      const std::array<Vec3, 4> corners = corners_in(tet, moved.now);
      double shares[4], sum = 0;
      for (double& share : shares) sum += share = random.uniform();
      Vec3 inside = Vec3::Zero();
      for (int k = 0; k < 4; ++k) inside += shares[k] / sum * corners[k];
      const Vec3 point = inside + 0.3 * random_point(random);
      const double distance = (point - inside).norm();
      EXPECT_TRUE(tree.may_come_within(1.0001 * distance, point, -1));
      const bool near = tree.may_come_within(0.01, random_point(random), -1);
      (near ? within : far) += 1;
    }
    EXPECT_GT(far, 50);
    EXPECT_GT(within, 50);
  }
}

TEST(TetTree, RefittedAnswersAsOneBuiltThere) {
  const Moved moved = moved_cube(5, 0.7, 4);
  TetTree refitted(moved.mesh.tets, moved.rest, kBefore);
  for (const unsigned seed : {1u, 2u}) refitted.refit(moved_cube(5, 2, seed).now);
  refitted.refit(moved.now);
  const TetTree fresh(moved.mesh.tets, moved.now, kBefore);
  EXPECT_TRUE(refitted.bounds().isApprox(fresh.bounds(), 0));
  Random random(6);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 point = random_point(random);
    EXPECT_EQ(found_by(refitted, point), found_by(fresh, point));
  }
}

TEST(TetTree, StaysConservativeFarFromTheOrigin) {
  Moved moved = moved_cube(3, 0.3, 9);
  // There a step of single precision is larger than an element.
  moved.now.array() += 3e7;
  TetTree tree(moved.mesh.tets, moved.rest, kBefore);
  tree.refit(moved.now);
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Vec3 point = random_point(random).array() + 3e7;
    EXPECT_EQ(found_by(tree, point), all_containing(moved, point));
  }
  EXPECT_GE(tree.first_containing(Vec3::Constant(3e7), -1), 0);
}

TEST(TetTree, IsTheSameForAnyNumberOfThreads) {
  // More elements than one task fits, and more levels.
  const Moved moved = moved_cube(20, 0.8, 5);
  ASSERT_GT(moved.mesh.tets.size(), 30000u);
  std::vector<int> first;
  for (const int count : {1, 2, 5}) {
    set_threads(count);
    TetTree tree(moved.mesh.tets, moved.rest, kBefore);
    tree.refit(moved.now);
    std::vector<int> found(moved.now.size() / 3);
    parallel_chunks(std::ssize(found), 64, [&](Index begin, Index end) {
      for (Index v = begin; v < end; ++v)
        found[v] = tree.first_containing(moved.now.segment<3>(3 * v), static_cast<int>(v));
    });
    if (first.empty()) first = found;
    EXPECT_EQ(found, first) << count << " threads";
  }
  set_threads(0);
  EXPECT_GT(std::ranges::count_if(first, [](int tet) { return tet >= 0; }), 100);
}

TEST(TetTree, OfNothingFindsNothing) {
  const TetTree tree({}, Vector::Zero(3), 0);
  EXPECT_EQ(tree.first_containing(Vec3::Zero(), -1), -1);
  EXPECT_TRUE(tree.bounds().isEmpty());
}

}  // namespace
}  // namespace pliant::tet_tree_test
