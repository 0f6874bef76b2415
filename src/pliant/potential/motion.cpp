#include "pliant/potential/motion.hpp"

#include <Eigen/Geometry>
#include <algorithm>

namespace pliant {

namespace {

/// The pose at a time, and how fast it changes.
struct Pose {
  Vec3 translate = Vec3::Zero(), speed = Vec3::Zero();
  double angle = 0, turning = 0;
};

Pose pose_at(const Motion& motion, double t) {
  if (motion.keys.empty()) return {};
  // A key belongs to the segment that ends in it, so that a script released there keeps the speed it arrived
  // with.
  const auto after =
      std::lower_bound(motion.keys.begin(), motion.keys.end(), t,
                       [](const Motion::Key& key, double time) { return key.time < time - kTimeSlack; });
  if (after == motion.keys.end())
    return {motion.keys.back().translate, Vec3::Zero(), motion.keys.back().angle, 0};
  if (after == motion.keys.begin()) return {after->translate, Vec3::Zero(), after->angle, 0};
  const Motion::Key &a = *(after - 1), &b = *after;
  const double length = b.time - a.time;
  double s = std::min((t - a.time) / length, 1.0), rate = 1 / length;
  if (motion.interpolation == Motion::Interpolation::smooth) {
    rate = 6 * s * (1 - s) / length;
    s = s * s * (3 - 2 * s);
  }
  return {a.translate + s * (b.translate - a.translate), rate * (b.translate - a.translate),
          a.angle + s * (b.angle - a.angle), rate * (b.angle - a.angle)};
}

}  // namespace

Vec3 Motion::position(const Vec3& X, double t) const {
  const Pose pose = pose_at(*this, t);
  const Vec3 arm = pose.angle == 0 ? Vec3(X - center)
                                   : Vec3(Eigen::AngleAxisd(pose.angle, axis.normalized()) * (X - center));
  return center + arm + pose.translate;
}

Vec3 Motion::velocity(const Vec3& X, double t) const {
  const Pose pose = pose_at(*this, t);
  const Vec3 arm = Eigen::AngleAxisd(pose.angle, axis.normalized()) * (X - center);
  return pose.speed + pose.turning * axis.normalized().cross(arm);
}

}  // namespace pliant
