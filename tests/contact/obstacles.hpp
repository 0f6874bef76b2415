#pragma once

// Obstacles of every kind, for tests.

#include <numbers>

#include "pliant/contact/obstacle.hpp"
#include "pliant/shape/grid_shape.hpp"
#include "pliant/shape/shapes.hpp"

namespace pliant::testing {

inline Obstacle obstacle(ShapePointer shape, ContactWay way) {
  Obstacle made;
  made.shape = std::move(shape);
  made.way = way;
  return made;
}

inline ShapePointer shifted(ShapePointer shape, const Vec3& by) {
  return moved(std::move(shape), 1, Eigen::Quaterniond::Identity(), by);
}

/// All that is outside of a ball: its surface is hollow.
inline ShapePointer cave(double radius) {
  return subtract(make_box_shape(Vec3::Constant(8 * radius), 0), make_sphere(radius));
}

/// One that turns and moves on.
inline Motion tumbling() {
  Motion motion;
  motion.center = Vec3(0.1, 0, 0.2);
  motion.axis = Vec3(1, 2, -1).normalized();
  motion.constant_spin = 0.8;
  motion.constant_velocity = Vec3(0.3, -0.2, 0.1);
  return motion;
}

}  // namespace pliant::testing
