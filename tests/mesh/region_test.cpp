#include "pliant/mesh/region.hpp"

#include "mesh/mesh_checks.hpp"

namespace pliant::region_test {
namespace {

using Indices = std::vector<int>;

// Along x, from 0 to 4.
const std::vector<Vec3> kPoints{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};

TEST(BoxRegion, IncludesItsBoundary) {
  EXPECT_EQ(select_vertices(BoxRegion{{1, 0, 0}, {3, 0, 0}}, kPoints), (Indices{1, 2, 3}));
}

TEST(BoxRegion, ReachesOutByTheToleranceOnly) {
  EXPECT_EQ(select_vertices(BoxRegion{{1 + 3e-9, 0, 0}, {3, 0, 0}}, kPoints), (Indices{1, 2, 3}));
  EXPECT_EQ(select_vertices(BoxRegion{{1 + 5e-9, 0, 0}, {3, 0, 0}}, kPoints), (Indices{2, 3}));
}

TEST(SphereRegion, IncludesItsBoundary) {
  EXPECT_EQ(select_vertices(SphereRegion{{2, 0, 0}, 1}, kPoints), (Indices{1, 2, 3}));
}

TEST(SphereRegion, ReachesOutByTheToleranceOnly) {
  EXPECT_EQ(select_vertices(SphereRegion{{2, 0, 0}, 1 - 3e-9}, kPoints), (Indices{1, 2, 3}));
  EXPECT_EQ(select_vertices(SphereRegion{{2, 0, 0}, 1 - 5e-9}, kPoints), (Indices{2}));
}

TEST(PlaneRegion, KeepsTheSideOfTheNormalWhateverItsLength) {
  EXPECT_EQ(select_vertices(PlaneRegion{{3, 5, 5}, {1e-200, 0, 0}}, kPoints), (Indices{3, 4}));
  EXPECT_EQ(select_vertices(PlaneRegion{{3, 5, 5}, {-1e200, 0, 0}}, kPoints), (Indices{0, 1, 2, 3}));
}

TEST(PlaneRegion, ReachesOutByTheToleranceOnly) {
  EXPECT_EQ(select_vertices(PlaneRegion{{3 + 3e-9, 0, 0}, {10, 0, 0}}, kPoints), (Indices{3, 4}));
  EXPECT_EQ(select_vertices(PlaneRegion{{3 + 5e-9, 0, 0}, {10, 0, 0}}, kPoints), (Indices{4}));
}

TEST(PlaneRegion, RefusesANormalWithoutDirection) {
  EXPECT_EQ(complaints_of([] {
              select_vertices(PlaneRegion{{0, 0, 0}, {0, 0, 0}}, kPoints);
            }),
            "plane region: the normal (0, 0, 0) has no direction");
}

TEST(IndexRegion, GivesEachIndexOnceInIncreasingOrder) {
  EXPECT_EQ(select_vertices(IndexRegion{{4, 0, 2, 4}}, kPoints), (Indices{0, 2, 4}));
}

TEST(IndexRegion, NamesEveryIndexThatDoesNotExist) {
  EXPECT_EQ(complaints_of([] {
              select_vertices(IndexRegion{{0, 5, -1}}, kPoints);
            }),
            "region: vertex 5 does not exist; there are 5, counted from 0\n"
            "region: vertex -1 does not exist; there are 5, counted from 0");
}

TEST(Regions, SelectNothingFromNoPoints) {
  EXPECT_EQ(select_vertices(BoxRegion{{-1, -1, -1}, {1, 1, 1}}, {}), Indices{});
}

}  // namespace
}  // namespace pliant::region_test
