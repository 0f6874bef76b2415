#pragma once

#include <span>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// The points in the order of a space-filling curve (Morton's), so that what is near in space is near in
/// memory.
std::vector<int> order_along_curve(std::span<const Vec3> points);

}  // namespace pliant
