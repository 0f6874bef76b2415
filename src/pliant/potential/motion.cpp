#include "pliant/potential/motion.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace pliant {

namespace {

/// The keys at a time, and how fast they change.
struct Place {
  Vec3 translate = Vec3::Zero(), speed = Vec3::Zero(), acceleration = Vec3::Zero();
  double angle = 0, turning = 0, turning_rate = 0;
};

Place between_keys(const Motion& motion, double t) {
  if (motion.keys.empty()) return {};
  // A key belongs to the segment that ends in it, so that a script released there keeps the speed it arrived
  // with.
  const auto after =
      std::lower_bound(motion.keys.begin(), motion.keys.end(), t,
                       [](const Motion::Key& key, double time) { return key.time < time - kTimeSlack; });
  if (after == motion.keys.end())
    return {.translate = motion.keys.back().translate, .angle = motion.keys.back().angle};
  if (after == motion.keys.begin()) return {.translate = after->translate, .angle = after->angle};
  const Motion::Key &a = *(after - 1), &b = *after;
  const double length = b.time - a.time;
  double s = std::min((t - a.time) / length, 1.0), rate = 1 / length, change = 0;
  if (motion.interpolation == Motion::Interpolation::smooth) {
    rate = 6 * s * (1 - s) / length;
    change = (6 - 12 * s) / (length * length);
    s = s * s * (3 - 2 * s);
  }
  const Vec3 way = b.translate - a.translate;
  const double turn = b.angle - a.angle;
  return {a.translate + s * way, rate * way, change * way, a.angle + s * turn, rate * turn, change * turn};
}

}  // namespace

Pose Motion::pose(double t) const {
  Place place = between_keys(*this, t);
  place.translate += t * constant_velocity;
  place.speed += constant_velocity;
  place.angle += t * constant_spin;
  place.turning += constant_spin;
  Pose pose;
  pose.spin = place.turning * axis.normalized();
  if (place.angle != 0) pose.turn = Eigen::AngleAxisd(place.angle, axis.normalized()).toRotationMatrix();
  pose.shift = place.translate;
  if (place.angle != 0) pose.shift += center - pose.turn * center;
  pose.speed = place.speed - pose.spin.cross(center + place.translate);
  return pose;
}

Vec3 Motion::position(const Vec3& X, double t) const { return pose(t).position(X); }

Vec3 Motion::velocity(const Vec3& X, double t) const {
  const Pose now = pose(t);
  return now.velocity(now.position(X));
}

Vec3 Motion::acceleration(const Vec3& X, double t) const {
  const Place place = between_keys(*this, t);
  const Pose now = pose(t);
  const Vec3 arm = now.turn * (X - center);
  return place.acceleration + place.turning_rate * axis.normalized().cross(arm) +
         now.spin.cross(now.spin.cross(arm));
}

double Motion::next_key(double t) const {
  for (const Key& key : keys)
    if (key.time > t + kTimeSlack) return key.time;
  return std::numeric_limits<double>::infinity();
}

Vec3 Motion::mean_velocity(const Vec3& X, const Interval& during) const {
  if (during.from == during.to) return velocity(X, during.to);
  return (position(X, during.to) - position(X, during.from)) / (during.to - during.from);
}

}  // namespace pliant
