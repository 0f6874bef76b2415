#include "pliant/contact/gap.hpp"

#include "contact/obstacles.hpp"

namespace pliant::gap_test {
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

}  // namespace
}  // namespace pliant::gap_test
