#include "pliant/mesh/ribbon.hpp"

#include "mesh/surface_checks.hpp"

namespace pliant::ribbon_test {
namespace {

RibbonShape ribbon_along(CurveKind kind) {
  RibbonShape shape;
  shape.curve.kind = kind;
  return shape;
}

TEST(Ribbon, AlongALineIsAFlatStripFacingUp) {
  RibbonShape shape = ribbon_along(CurveKind::kLine);
  const Ribbon ribbon = make_ribbon(shape);
  EXPECT_EQ(ribbon.start.size(), 303U);
  EXPECT_EQ(ribbon.rest.triangles.size(), 400U);
  EXPECT_NEAR(area(ribbon.start, ribbon.rest.triangles), 0.02, 1e-15);
  for (const auto& t : ribbon.rest.triangles) EXPECT_GT(area_vector(ribbon.start, t).y(), 0);
  EXPECT_TRUE(is_oriented_manifold(ribbon.rest.triangles));
  EXPECT_EQ(euler_characteristic(ribbon.rest), 1);
  shape.rest = RibbonRest::kFlat;
  const Ribbon flat = make_ribbon(shape);
  for (size_t v = 0; v < flat.start.size(); ++v)
    EXPECT_LT((flat.start[v] - flat.rest.vertices[v]).norm(), 1e-15);
}

TEST(Ribbon, BentFromAFlatStripKeepsItsLengthAndWidth) {
  RibbonShape shape = ribbon_along(CurveKind::kHelix);
  shape.rest = RibbonRest::kFlat;
  shape.cells = {400, 3};
  const Ribbon ribbon = make_ribbon(shape);
  for (const Vec3& x : ribbon.rest.vertices) EXPECT_EQ(x.y(), 0);
  const double length = 5 * std::hypot(0.2 * std::numbers::pi, 0.05);
  EXPECT_NEAR(area(ribbon.rest.vertices, ribbon.rest.triangles), 0.02 * length, 1e-4 * length);
  for (size_t v = 0; v < ribbon.start.size(); v += 4)
    EXPECT_NEAR((ribbon.start[v + 3] - ribbon.start[v]).norm(), 0.02, 1e-14);
}

TEST(Ribbon, AroundACircleIsARing) {
  RibbonShape shape = ribbon_along(CurveKind::kCircle);
  const Ribbon flat = make_ribbon(shape);
  EXPECT_EQ(euler_characteristic(flat.rest), 0);
  EXPECT_TRUE(is_oriented_manifold(flat.rest.triangles));
  EXPECT_EQ(boundary_edge_count(flat.rest.triangles), 200);
  EXPECT_NEAR(area(flat.start, flat.rest.triangles), 0.2 * std::numbers::pi * 0.02, 1e-5);
  for (const auto& t : flat.rest.triangles) EXPECT_GT(area_vector(flat.start, t).y(), 0);
  shape.up = {1, 0, 0};  // now a belt
  for (const Vec3& x : make_ribbon(shape).start) EXPECT_NEAR(std::hypot(x.x(), x.z()), 0.1, 1e-14);
}

TEST(Ribbon, TwistedByHalfATurnIsAMoebiusBandWithOneEdge) {
  RibbonShape shape = ribbon_along(CurveKind::kCircle);
  shape.twist = 0.5;
  const Ribbon band = make_ribbon(shape);
  EXPECT_EQ(euler_characteristic(band.rest), 0);
  EXPECT_EQ(boundary_edge_count(band.rest.triangles), 200);
  EXPECT_FALSE(is_oriented_manifold(band.rest.triangles)) << "it has one side only";
  // No triangle at the seam is longer than the others: the ends meet.
  for (const auto& t : band.rest.triangles)
    for (size_t k = 0; k < 3; ++k) EXPECT_LT((band.start[t[k]] - band.start[t[(k + 1) % 3]]).norm(), 0.02);
  // Going along the edge twice around leads back: all edge vertices are one loop.
  std::map<int, std::vector<int>> next;
  const auto edges = directed_edges(band.rest.triangles);
  std::map<std::pair<int, int>, int> sides;
  for (const auto& [edge, count] : edges) sides[std::minmax(edge.first, edge.second)] += count;
  for (const auto& [edge, count] : sides)
    if (count == 1) next[edge.first].push_back(edge.second), next[edge.second].push_back(edge.first);
  int from = next.begin()->first, at = next.begin()->second[0], steps = 1;
  for (; at != next.begin()->first; ++steps) {
    const int to = next[at][0] == from ? next[at][1] : next[at][0];
    from = at;
    at = to;
  }
  EXPECT_EQ(steps, 200);
}

TEST(Ribbon, TwistedByAWholeTurnHasTwoSidesAgain) {
  RibbonShape shape = ribbon_along(CurveKind::kCircle);
  shape.twist = -1;
  EXPECT_TRUE(is_oriented_manifold(make_ribbon(shape).rest.triangles));
}

TEST(Ribbon, TurnsByItsTwistFromEndToEnd) {
  RibbonShape shape = ribbon_along(CurveKind::kLine);
  shape.twist = 0.25;
  const Ribbon ribbon = make_ribbon(shape);
  const Vec3 first = ribbon.start[2] - ribbon.start[0], last = ribbon.start[302] - ribbon.start[300];
  EXPECT_NEAR(first.dot(last), 0, 1e-15);
  EXPECT_GT(first.cross(last).x(), 0) << "right-handed around the curve";
}

TEST(Ribbon, RefusesWhatDoesNotFitTogether) {
  RibbonShape shape = ribbon_along(CurveKind::kCircle);
  shape.twist = 0.3;
  EXPECT_TRUE(says(complaints_of([&] { make_ribbon(shape); }), {"half turns", "0.3"}));
  shape.twist = 0;
  shape.rest = RibbonRest::kFlat;
  EXPECT_TRUE(says(complaints_of([&] { make_ribbon(shape); }), {"closed", "flat"}));
  shape = {};
  shape.width = -1;
  EXPECT_NE(complaints_of([&] { make_ribbon(shape); }), "");
  shape = {};
  shape.cells = {10, 0};
  EXPECT_NE(complaints_of([&] { make_ribbon(shape); }), "");
  shape.cells = {100'000, 100'000};
  EXPECT_NE(complaints_of([&] { make_ribbon(shape); }), "");
}

}  // namespace
}  // namespace pliant::ribbon_test
