#pragma once

#include "pliant/mesh/space_curve.hpp"

namespace pliant {

/// Points joined in a row: hair, a rope, a spring.
struct StrandMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 2>> edges;
};

/// A strand of `cells` edges of equal length along the curve; one along a closed curve is joined to a loop.
/// Throws InputError as sample_curve does.
StrandMesh make_strand(const CurveShape& curve, int cells);

}  // namespace pliant
