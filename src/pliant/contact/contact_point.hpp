#pragma once

#include <array>
#include <span>
#include <vector>

#include "pliant/contact/obstacle.hpp"

namespace pliant {

/// A place where something is pressed against an obstacle or another surface, at the end of a step. The
/// relative motion there is sum w_i v_i - velocity: of a vertex alone (w_0 = 1) against an obstacle, or
/// against the point of a triangle that is closest to it (w_1 ... w_3 negative, -1 together); a point of a
/// frame of four has four weights in the place of one.
struct ContactPoint {
  static constexpr int kMost = 16;
  std::array<int, kMost> vertices = none();  ///< -1 where there are fewer
  std::array<double, kMost> weights{};
  Vec3 normal = Vec3::Zero();    ///< in the direction of the force on the first vertex; a unit vector
  double force = 0;              ///< N
  double friction = 0;           ///< Coulomb's coefficient
  Vec3 velocity = Vec3::Zero();  ///< of the obstacle, m/s

 private:
  static constexpr std::array<int, kMost> none() {
    std::array<int, kMost> vertices{};
    vertices.fill(-1);
    return vertices;
  }
};

/// A vertex at x that an obstacle pushes with this force along the normal.
ContactPoint contact_with(const PlacedObstacle& obstacle, int vertex, const Vec3& x, const Vec3& normal,
                          double force);

/// What friction changed, J.
struct FrictionWork {
  double gained = 0;  ///< kinetic energy; positive where an obstacle drags a body along
  /// The most kinetic energy that any place gained, as seen from the obstacle, or at all between bodies;
  /// never more than roundoff.
  double most_seen = 0;
};

/// Coulomb friction after a step of length dt (gast-2014, section 5): at each place in turn an impulse
/// against the sliding, as large as stops it and no larger than friction times that of the force. Dofs that
/// are `fixed` do not feel it.
FrictionWork apply_friction(std::span<const ContactPoint> contacts, const Vector& mass,
                            std::span<const char> fixed, double dt, Vector& v);

}  // namespace pliant
