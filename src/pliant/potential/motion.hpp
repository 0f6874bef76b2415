#pragma once

#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// Two times closer than this are the same, s: times that are sums of steps miss a given moment by a
/// roundoff.
inline constexpr double kTimeSlack = 1e-9;

/// A rigid motion through keys: turned by `angle` about the axis through `center`, then moved by `translate`.
/// Constant before the first key and after the last; without keys it stands still.
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

  /// Where the point that starts at X is at time t.
  Vec3 position(const Vec3& X, double t) const;
  Vec3 velocity(const Vec3& X, double t) const;
};

}  // namespace pliant
