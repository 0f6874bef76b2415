#include "pliant/integrate/post_process.hpp"

#include "contact/obstacles.hpp"

namespace pliant::post_process_test {
namespace {

using testing::obstacle;

struct Processed {
  Vector x, v;
  PostProcess::Done done;
  Index inside;

  Processed(const Obstacle& one, const Vec3& place, const Vec3& velocity,
            const std::vector<char>& fixed = {0, 0, 0})
      : x(place),
        v(velocity),
        done(PostProcess({one}).put_outside(0, Vector::Constant(1, 2), fixed, x, v)),
        inside(done.inside) {}
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
  EXPECT_NEAR(Processed(plane, {1, -0.2, 0}, {3, -2, 0}).done.friction, 4 - 9, 1e-14);
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
}  // namespace pliant::post_process_test
