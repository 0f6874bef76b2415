#include "pliant/system/following_rotations.hpp"

#include <Eigen/Geometry>

#include "integrate/scenes.hpp"

namespace pliant::following_rotations_test {
namespace {

/// A cube off the origin, with masses that differ.
struct Lumps {
  Vector x = testing::positions(testing::cube(2)), mass;
  Lumps() : mass(Vector::LinSpaced(x.size() / 3, 1, 2)) {
    for (Index i = 0; i < x.size(); i += 3) x.segment<3>(i) += Vec3(3, 1, -2);
  }
  Vec3 center() const {
    Vec3 sum = Vec3::Zero();
    for (Index i = 0; i < mass.size(); ++i) sum += mass[i] * x.segment<3>(3 * i);
    return sum / mass.sum();
  }
  /// The step of all of them turning about their centre and shifting.
  Vector turning(const Vec3& rotation, const Vec3& shift) const {
    Vector step(x.size());
    for (Index i = 0; i < x.size(); i += 3)
      step.segment<3>(i) = rotation.cross(Vec3(x.segment<3>(i) - center())) + shift;
    return step;
  }
  Vector followed(Vector step) const {
    follow_rotation(mass, 0, mass.size(), x, step);
    return step;
  }
};

TEST(FollowRotation, KeepsTheShape) {
  const Lumps lumps;
  const Vec3 axis = Vec3(1, 2, -1).normalized(), shift(0.1, -0.3, 0.2);
  const Vector end = lumps.x + lumps.followed(lumps.turning(0.8 * axis, shift));
  const Mat3 R = Eigen::AngleAxisd(0.8, axis).toRotationMatrix();
  for (Index i = 0; i < end.size(); i += 3) {
    const Vec3 expected = lumps.center() + shift + R * (lumps.x.segment<3>(i) - lumps.center());
    EXPECT_LT((end.segment<3>(i) - expected).norm(), 1e-7);
  }
}

TEST(FollowRotation, TurnsByOneRadianAtMost) {
  const Lumps lumps;
  const Vec3 axis = Vec3(0, 0, 1);
  const Vector far = lumps.followed(lumps.turning(50 * axis, Vec3::Zero()));
  EXPECT_LT((far - lumps.followed(lumps.turning(axis, Vec3::Zero()))).norm(), 1e-7);
}

TEST(FollowRotation, IsTangentToTheStep) {
  const Lumps lumps;
  const Vector step = testing::random_vector(lumps.x.size(), 3);
  for (const double share : {1e-3, 1e-4})
    EXPECT_LT((lumps.followed(share * step) - share * step).norm(), 2 * share * share * step.squaredNorm());
}

TEST(FollowRotation, LeavesAStepWithoutRotationAlone) {
  const Lumps lumps;
  const Vector step = lumps.turning(Vec3::Zero(), Vec3(1, 2, 3));
  EXPECT_LT((lumps.followed(step) - step).norm(), 1e-12);
}

TEST(FollowRotation, IsFiniteForPointsAndLines) {
  for (const Vec3& extent : {Vec3(0, 0, 0), Vec3(1, 0, 0)}) {
    Lumps lumps;
    for (Index i = 0; i < lumps.x.size(); i += 3) lumps.x.segment<3>(i).array() *= extent.array();
    EXPECT_TRUE(lumps.followed(testing::random_vector(lumps.x.size(), 3)).allFinite());
  }
}

/// A cube in the middle of a step, and a step of it down a slope that is its opposite.
struct Spinning {
  testing::Cube cube;
  StageObjective objective{cube.model, ResidualNorm::velocity};
  Lumps lumps;

  explicit Spinning(bool held = false) : cube({.pull = held}) {
    objective.begin(BackwardEuler(cube.model, {}).first_stage(cube.state, 0.01));
    lumps.x = cube.state.x;
    lumps.mass = cube.model.mass;
  }
  Vector shaped(int iterations, const Vector& step) const {
    FollowingRotations safeguard(cube.model, objective);
    SearchPoint here;
    here.x = Field(lumps.x);
    here.gradient = Field(Vector(-step));
    Field to(step);
    safeguard.shape(iterations, here, to);
    return to.host();
  }
  Vector step(double angle) const { return lumps.turning(Vec3(0, 0, angle), Vec3::Zero()); }
};

TEST(FollowingRotations, ReplacesStepsInLongDescents) {
  const Spinning s;
  const Vector step = s.step(0.8);
  EXPECT_EQ(s.shaped(20, step), step);
  EXPECT_EQ(s.shaped(21, step), s.lumps.followed(step));
  EXPECT_NE(s.shaped(21, step), step);
}

TEST(FollowingRotations, KeepsTheStraightStepWhereTheOtherHardlyDescends) {
  const Spinning s;
  const Vector far = s.step(50);  // which is shortened to one radian first
  EXPECT_LT(far.dot(s.lumps.followed(far)), 0.1 * far.squaredNorm());
  EXPECT_EQ(s.shaped(21, far), far);
}

TEST(FollowingRotations, LeavesBodiesAloneThatAScriptHolds) {
  const Spinning s(/*held=*/true);
  const Vector step = s.step(0.8);
  EXPECT_EQ(s.shaped(21, step), step);
}

}  // namespace
}  // namespace pliant::following_rotations_test
