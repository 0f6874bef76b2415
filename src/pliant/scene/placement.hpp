#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "pliant/base/types.hpp"
#include "pliant/potential/motion.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant {

/// Where a body is and how it moves at time 0.
struct Start {
  std::vector<Vec3> shape;      ///< stretched and turned; where scripts and attachments start from
  std::vector<Vec3> positions;  ///< the same, then randomised or collapsed except where scripted
  std::vector<Vec3> velocities;
};

/// Throws InputError where there is no such file.
void require_mesh_file(const std::string& path);

Mat3 rotation_matrix(const RotationKeys& keys);

Motion to_motion(const MotionKeys& keys);

/// Scales, turns and moves, in this order.
void place(const PlacementKeys& keys, std::vector<Vec3>& points);

/// `seed` is this body's own.
Start start_of(const BodyKeys& keys, const PlacedBody& body, std::uint64_t seed);

}  // namespace pliant
