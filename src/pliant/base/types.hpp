#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

namespace pliant {

/// A size or position in an array. Vertex and element ids, stored in bulk, are plain `int`.
using Index = std::ptrdiff_t;

/// Flat double arrays; positions, velocities and gradients hold x, y, z of vertex 0, then of vertex 1, and so
/// on.
using Vector = Eigen::VectorXd;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

}  // namespace pliant
