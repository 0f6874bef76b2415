#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// Where a cube of a grid lies along Morton's space-filling curve; of each number the lowest 21 bits count.
std::uint64_t place_on_curve(std::uint64_t x, std::uint64_t y, std::uint64_t z);

/// The points in the order of a space-filling curve (Morton's), so that what is near in space is near in
/// memory.
std::vector<int> order_along_curve(std::span<const Vec3> points);

}  // namespace pliant
