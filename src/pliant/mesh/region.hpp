#pragma once

#include <span>
#include <variant>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// Everything between two opposite corners.
struct BoxRegion {
  Vec3 min, max;
};

/// Everything within a radius.
struct SphereRegion {
  Vec3 center;
  double radius;
};

/// The half space on the side that the normal points to; the normal may have any length but zero.
struct PlaneRegion {
  Vec3 point, normal;
};

/// The very vertices named, counted from 0.
struct IndexRegion {
  std::vector<int> indices;
};

/// A part of a body, to hold, move or paint it.
using Region = std::variant<BoxRegion, SphereRegion, PlaneRegion, IndexRegion>;

/// The vertices in the region, in increasing order, each once. Boundaries count as inside, with a tolerance
/// of 1e-9 times the diagonal of the points' bounding box. Throws InputError for an index that does not exist
/// and a normal of no direction.
std::vector<int> select_vertices(const Region& region, std::span<const Vec3> points);

}  // namespace pliant
