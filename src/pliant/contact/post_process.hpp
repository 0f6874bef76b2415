#pragma once

#include <span>
#include <vector>

#include "pliant/contact/obstacle.hpp"

namespace pliant {

struct PostProcessed {
  Index inside = 0;     ///< vertices that were
  double friction = 0;  ///< change of kinetic energy by friction, J
};

/// Collisions after a step that knew nothing of them, for comparison (gast-2014, section 5 and figure 10): a
/// vertex inside of a post-process obstacle is put onto its surface and loses the velocity into it, and some
/// along it to friction. Dofs that are `fixed` stay.
PostProcessed post_process(const std::vector<Obstacle>& obstacles, double t, const Vector& mass,
                           std::span<const char> fixed, Vector& x, Vector& v);

}  // namespace pliant
