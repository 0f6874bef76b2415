#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

/// Replaces the step of the vertices begin to end by one that leads to where they get if they follow its
/// rotation: on a circle instead of along its tangent, which a stiff body can follow only a little way. At
/// most one radian; longer steps are shortened first.
void bend(const Vector& mass, Index begin, Index end, const Vector& x, Vector& step);

}  // namespace pliant
