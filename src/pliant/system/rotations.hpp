#pragma once

#include <vector>

#include "pliant/linear/block_matrix.hpp"

namespace pliant {

/// For each vertex the rotation that brings its neighbours, as they were at rest, closest to where they are
/// at x: those that it shares a block with.
std::vector<Mat3> neighbourhood_rotations(const BlockPattern& pattern, const Vector& rest, const Vector& x);

}  // namespace pliant
