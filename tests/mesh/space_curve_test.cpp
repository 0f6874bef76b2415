#include "pliant/mesh/space_curve.hpp"

#include "mesh/surface_checks.hpp"
#include "pliant/mesh/strand.hpp"

namespace pliant::space_curve_test {
namespace {

CurveShape curve(CurveKind kind) {
  CurveShape shape;
  shape.kind = kind;
  return shape;
}

CurveShape through(CurveKind kind, std::vector<Vec3> points, bool closed) {
  CurveShape shape = curve(kind);
  shape.points = std::move(points);
  shape.closed = closed;
  return shape;
}

const std::vector<Vec3> kKnot = {{2, 0, 0}, {0, 1, 1}, {-2, 0, 0.5}, {0, -1, -1}, {1, -2, 0}};

TEST(Curves, AreSampledEvenly) {
  CurveShape helix = curve(CurveKind::kHelix);
  for (const CurveShape& shape :
       {curve(CurveKind::kLine), curve(CurveKind::kCircle), helix, through(CurveKind::kSpline, kKnot, true),
        through(CurveKind::kSpline, kKnot, false)}) {
    const std::vector<Vec3> points = sample_curve(shape, 2000);
    ASSERT_EQ(points.size(), shape.is_closed() ? 2000U : 2001U);
    const double mean = polygon_length(points, shape.is_closed()) / 2000;
    for (size_t i = 1; i < points.size(); ++i)
      EXPECT_NEAR((points[i] - points[i - 1]).norm(), mean, 1e-3 * mean);
  }
}

TEST(Curves, HaveTheirLengths) {
  EXPECT_DOUBLE_EQ(polygon_length(sample_curve(curve(CurveKind::kLine), 7), false), 1);
  EXPECT_NEAR(polygon_length(sample_curve(curve(CurveKind::kCircle), 1000), true), 0.2 * std::numbers::pi,
              1e-5);
  const double turn = std::hypot(0.2 * std::numbers::pi, 0.05);
  EXPECT_NEAR(polygon_length(sample_curve(curve(CurveKind::kHelix), 5000), false), 5 * turn, 1e-5);
  EXPECT_DOUBLE_EQ(
      polygon_length(sample_curve(through(CurveKind::kPolyline, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, false), 4),
                     false),
      2);
}

TEST(Curves, GoThroughTheirPoints) {
  for (const bool closed : {false, true}) {
    const std::vector<Vec3> points = sample_curve(through(CurveKind::kSpline, kKnot, closed), 4000);
    for (const Vec3& wanted : kKnot) {
      double nearest = 1;
      for (const Vec3& point : points) nearest = std::min(nearest, (point - wanted).norm());
      EXPECT_LT(nearest, 3e-3);
    }
  }
}

TEST(Curves, OfTwoPointsAreLines) {
  const std::vector<Vec3> points =
      sample_curve(through(CurveKind::kSpline, {{0, 0, 0}, {3, 6, 0}}, false), 3);
  for (int i = 0; i <= 3; ++i) EXPECT_LT((points[i] - Vec3(i, 2 * i, 0)).norm(), 1e-12);
}

TEST(Curves, WindRightHandedUpwards) {
  const std::vector<Vec3> points = sample_curve(curve(CurveKind::kHelix), 500);
  for (size_t i = 1; i < points.size(); ++i) {
    EXPECT_GT(points[i].y(), points[i - 1].y());
    EXPECT_GT(points[i - 1].cross(points[i]).y(), 0);
  }
}

TEST(Curves, RefuseNumbersWithoutSense) {
  CurveShape shape;
  shape.length = 0;
  EXPECT_NE(complaints_of([&] { sample_curve(shape, 5); }), "");
  EXPECT_NE(complaints_of([] { sample_curve({}, 0); }), "");
  EXPECT_NE(complaints_of([] { sample_curve(curve(CurveKind::kCircle), 2); }), "");
  const auto refused = [](std::vector<Vec3> points, bool closed) {
    return complaints_of([&] { sample_curve(through(CurveKind::kPolyline, points, closed), 9); });
  };
  EXPECT_TRUE(says(refused({{0, 0, 0}}, false), {"1 points"}));
  EXPECT_TRUE(says(refused({{0, 0, 0}, {0, 0, 0}}, false), {"point 0 and the next"}));
  EXPECT_TRUE(says(refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}}, true), {"point 3 and the next"}));
  EXPECT_TRUE(says(refused({{0, 0, 0}, {NAN, 0, 0}}, false), {"point 1"}));
}

void expect_orthonormal(const std::vector<CurveFrame>& frames) {
  for (const CurveFrame& frame : frames) {
    EXPECT_NEAR(frame.along.norm(), 1, 1e-12);
    EXPECT_NEAR(frame.normal.norm(), 1, 1e-12);
    EXPECT_NEAR(frame.along.dot(frame.normal), 0, 1e-12);
    EXPECT_LT((frame.along.cross(frame.across) - frame.normal).norm(), 1e-12);
  }
}

TEST(Frames, AreOrthonormal) {
  for (const bool closed : {false, true})
    expect_orthonormal(
        frames_along(sample_curve(through(CurveKind::kSpline, kKnot, closed), 300), closed, {0, 1, 0}));
}

TEST(Frames, DoNotTurnAlongCurvesInAPlane) {
  const std::vector<Vec3> wave = {{0, 0, 0}, {1, 0, 1}, {2, 0, -1}, {3, 0, 2}, {5, 0, 0}};
  for (const bool closed : {false, true})
    for (const CurveFrame& frame :
         frames_along(sample_curve(through(CurveKind::kSpline, wave, closed), 200), closed, {0, 1, 0}))
      EXPECT_LT((frame.normal - Vec3(0, 1, 0)).norm(), 1e-11);
}

/// The turning of the normal around the curve, from one frame to the next, per length.
TEST(Frames, TurnAroundAHelixNoMoreThanTheyMust) {
  const int cells = 2000;
  const std::vector<Vec3> points = sample_curve(curve(CurveKind::kHelix), cells);
  const std::vector<CurveFrame> frames = frames_along(points, false, {0, 1, 0});
  for (int i = 1; i < cells; ++i) {
    const Vec3 change = frames[i + 1].normal - frames[i - 1].normal;
    EXPECT_LT(std::abs(change.dot(frames[i].across)), 1e-6) << "it changes along the curve only";
  }
}

TEST(Frames, MeetOnClosedCurves) {
  // Carried around a knot, a frame comes back turned; the joint must turn no more than any other place.
  const int cells = 500;
  const std::vector<Vec3> points = sample_curve(through(CurveKind::kSpline, kKnot, true), cells);
  const std::vector<CurveFrame> frames = frames_along(points, true, {0, 1, 0});
  for (int i = 0; i < cells; ++i)
    EXPECT_LT(std::acos(std::min(1.0, frames[i].normal.dot(frames[(i + 1) % cells].normal))), 0.1);
}

TEST(Frames, FaceAsNearUpAsTheyCan) {
  const std::vector<Vec3> slope = {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}};
  EXPECT_LT((frames_along(slope, false, {0, 3, 0})[0].normal - Vec3(-1, 1, 0).normalized()).norm(), 1e-14);
  expect_orthonormal(frames_along(std::vector<Vec3>{{0, 0, 0}, {0, 1, 0}, {0, 2, 0}}, false, {0, 1, 0}));
  EXPECT_NE(complaints_of([&] { frames_along(slope, false, {0, 0, 0}); }), "");
}

TEST(Frames, RefuseCurvesThatDoubleBack) {
  const std::vector<Vec3> there_and_back = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0, 0}, {0, 0, 0}};
  EXPECT_TRUE(says(complaints_of([&] {
                     frames_along(there_and_back, false, {0, 1, 0});
                   }),
                   {"doubles back", "point 2"}));
}

TEST(Strands, JoinTheirPointsInARow) {
  const StrandMesh open = make_strand(curve(CurveKind::kHelix), 10),
                   closed = make_strand(curve(CurveKind::kCircle), 10);
  EXPECT_EQ(open.vertices.size(), 11U);
  ASSERT_EQ(open.edges.size(), 10U);
  EXPECT_EQ(open.edges[9], (std::array<int, 2>{9, 10}));
  EXPECT_EQ(closed.vertices.size(), 10U);
  EXPECT_EQ(closed.edges[9], (std::array<int, 2>{9, 0}));
  for (const auto& [a, b] : closed.edges)
    EXPECT_NEAR((closed.vertices[b] - closed.vertices[a]).norm(), 0.2 * std::sin(std::numbers::pi / 10),
                1e-15);
}

}  // namespace
}  // namespace pliant::space_curve_test
