#pragma once

#include <vector>

#include "pliant/contact/obstacle.hpp"

namespace pliant {

/// The smallest distance of a vertex to an obstacle at time t, negative where one is inside; infinite without
/// obstacles.
double smallest_gap(const std::vector<Obstacle>& obstacles, double t, const Vector& x);

}  // namespace pliant
