#include "pliant/contact/gap.hpp"

#include "contact/obstacles.hpp"

namespace pliant {
namespace {

using testing::obstacle;
using testing::shifted;

TEST(SmallestGap, IsThatOfTheVertexClosestToAnObstacle) {
  const std::vector<Obstacle> obstacles{
      obstacle(make_half_space(Vec3::UnitY()), ContactWay::penalty),
      obstacle(shifted(make_sphere(0.5), {3, 1, 0}), ContactWay::constraint)};
  Vector x(9);
  x << 0, 0.4, 0, 1, 0.3, 0, 2.4, 1, 0;
  EXPECT_NEAR(smallest_gap(obstacles, 0, x), 0.1, 1e-15);
  x[7] = 0.9;
  x[4] = -0.2;
  EXPECT_NEAR(smallest_gap(obstacles, 0, x), -0.2, 1e-15);
}

TEST(SmallestGap, FollowsTheMotion) {
  std::vector<Obstacle> obstacles{obstacle(make_sphere(0.5), ContactWay::constraint)};
  obstacles[0].motion.constant_velocity = Vec3(2, 0, 0);
  EXPECT_NEAR(smallest_gap(obstacles, 1, Vec3(4, 0, 0)), 1.5, 1e-15);
}

TEST(SmallestGap, IsInfiniteWithoutObstacles) {
  EXPECT_EQ(smallest_gap({}, 0, Vec3(0, 0, 0)), std::numeric_limits<double>::infinity());
}

struct Processed {
  Vector x, v;
  Index inside;

  Processed(const Obstacle& one, const Vec3& place, const Vec3& velocity,
            const std::vector<char>& fixed = {0, 0, 0})
      : x(place), v(velocity), inside(post_process({one}, 0, fixed, x, v)) {}
};

TEST(PostProcess, PutsAVertexOntoTheSurfaceAndStopsItThere) {
  const Processed after(obstacle(make_half_space(Vec3::UnitY()), ContactWay::post_process), {1, -0.2, 0},
                        {3, -2, 0});
  EXPECT_EQ(after.inside, 1);
  EXPECT_LT((after.x - Vec3(1, 0, 0)).norm(), 1e-15);
  EXPECT_LT((after.v - Vec3(3, 0, 0)).norm(), 1e-15);
}

TEST(PostProcess, LeavesWhatIsOutsideOrLeaving) {
  const Obstacle plane = obstacle(make_half_space(Vec3::UnitY()), ContactWay::post_process);
  const Processed outside(plane, {1, 0.2, 0}, {3, -2, 0}), leaving(plane, {1, -0.2, 0}, {3, 2, 0});
  EXPECT_EQ(outside.inside, 0);
  EXPECT_EQ(outside.v, Vector(Vec3(3, -2, 0)));
  EXPECT_EQ(leaving.v, Vector(Vec3(3, 2, 0)));
}

TEST(PostProcess, RubsByWhatItStops) {
  Obstacle plane = obstacle(make_half_space(Vec3::UnitY()), ContactWay::post_process);
  plane.friction = 0.5;
  EXPECT_LT((Processed(plane, {1, -0.2, 0}, {3, -2, 0}).v - Vec3(2, 0, 0)).norm(), 1e-15);
  EXPECT_LT(Processed(plane, {1, -0.2, 0}, {0.5, -2, 0}).v.norm(), 1e-15);
}

TEST(PostProcess, TakesAlongWhatAMovingObstacleRunsInto) {
  Obstacle plane = obstacle(make_half_space(Vec3::UnitY()), ContactWay::post_process);
  plane.motion.constant_velocity = Vec3(0, 4, 0);
  EXPECT_LT((Processed(plane, {1, -0.2, 0}, {3, 0, 0}).v - Vec3(3, 4, 0)).norm(), 1e-15);
}

TEST(PostProcess, LeavesFixedVertices) {
  const Obstacle plane = obstacle(make_half_space(Vec3::UnitY()), ContactWay::post_process);
  const Processed after(plane, {1, -0.2, 0}, {3, -2, 0}, {1, 1, 1});
  EXPECT_EQ(after.inside, 0);
  EXPECT_EQ(after.x, Vector(Vec3(1, -0.2, 0)));
  EXPECT_EQ(after.v, Vector(Vec3(3, -2, 0)));
}

TEST(PostProcess, MovesPlanarBodiesWithinTheirPlane) {
  const Obstacle plane = obstacle(make_half_space(Vec3(0, 1, 1)), ContactWay::post_process);
  const Processed after(plane, {1, -0.2, 0}, {3, -2, 0}, {0, 0, 1});
  EXPECT_EQ(after.inside, 1);
  EXPECT_LT((after.x - Vec3(1, 0, 0)).norm(), 1e-15);
  EXPECT_LT((after.v - Vec3(3, 0, 0)).norm(), 1e-15);
}

}  // namespace
}  // namespace pliant
