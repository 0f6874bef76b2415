#pragma once

#include <span>
#include <vector>

#include "pliant/contact/obstacle.hpp"

namespace pliant {

/// The smallest distance of a vertex to an obstacle at time t, negative where one is inside; infinite without
/// obstacles.
double smallest_gap(const std::vector<Obstacle>& obstacles, double t, const Vector& x);

/// Collisions after a step that knew nothing of them, for comparison (gast-2014, section 5 and figure 10): a
/// vertex inside of a post-process obstacle is put onto its surface and loses the velocity into it, and some
/// along it to friction. Dofs that are `fixed` stay. Returns how many vertices were inside.
Index post_process(const std::vector<Obstacle>& obstacles, double t, std::span<const char> fixed, Vector& x,
                   Vector& v);

}  // namespace pliant
