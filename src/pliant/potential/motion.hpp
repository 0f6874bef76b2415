#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// Two times closer than this are the same, s: times that are sums of steps miss a given moment by a
/// roundoff.
inline constexpr double kTimeSlack = 1e-9;

/// Some time, or an instant.
struct Interval {
  double from = 0, to = 0;  ///< s
};

/// Where a rigid thing is, and how it moves on.
struct Pose {
  Mat3 turn = Mat3::Identity();
  Vec3 shift = Vec3::Zero();  ///< a point that starts at X is at turn X + shift
  Vec3 spin = Vec3::Zero();   ///< rad/s
  Vec3 speed = Vec3::Zero();  ///< of what is at the origin now, m/s

  Vec3 position(const Vec3& X) const { return turn * X + shift; }
  /// Where the point that is at x now started.
  Vec3 start(const Vec3& x) const { return turn.transpose() * (x - shift); }
  /// Of the point that is at x now.
  Vec3 velocity(const Vec3& x) const { return speed + spin.cross(x); }
};

/// A rigid motion through keys: turned by `angle` about the axis through `center`, then moved by `translate`.
/// Constant before the first key and after the last. A constant velocity and spin come on top; without them
/// and without keys it stands still.
struct Motion {
  enum class Interpolation {
    linear,  ///< constant speed between keys
    smooth   ///< starts and stops softly at each key
  };
  struct Key {
    double time = 0;  ///< s
    Vec3 translate = Vec3::Zero();
    double angle = 0;  ///< rad
  };

  Vec3 center = Vec3::Zero();
  Vec3 axis = Vec3::UnitY();
  std::vector<Key> keys;
  Interpolation interpolation = Interpolation::linear;
  Vec3 constant_velocity = Vec3::Zero();  ///< m/s
  double constant_spin = 0;               ///< about the axis, rad/s

  Pose pose(double t) const;
  /// Where the point that starts at X is at time t.
  Vec3 position(const Vec3& X, double t) const;
  Vec3 velocity(const Vec3& X, double t) const;
  Vec3 acceleration(const Vec3& X, double t) const;
  /// The first key after t, s; infinity if there is none.
  double next_key(double t) const;
  /// Over some time.
  Vec3 mean_velocity(const Vec3& X, const Interval& during) const;
};

}  // namespace pliant
