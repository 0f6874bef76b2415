#pragma once

#include "pliant/mesh/space_curve.hpp"
#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

/// The shape in which a ribbon has no tension: as it was made along its curve, or a straight flat strip of
/// the same length, which the curve then bends (of open curves only).
enum class RibbonRest { kAsMade, kFlat };

/// A strip swept along a curve. It is as wide as `width` everywhere and faces `up` where it begins; on the
/// way it turns around the curve by `twist` turns more than it must. The ends of a closed ribbon meet after a
/// whole number of half turns; if that number is odd, it is a Moebius band, which has one side only.
struct RibbonShape {
  CurveShape curve;
  double width = 0.02;               ///< m
  std::array<int, 2> cells{100, 2};  ///< along and across
  double twist = 0;                  ///< turns
  Vec3 up{0, 1, 0};
  RibbonRest rest = RibbonRest::kAsMade;
};

struct Ribbon {
  TriangleMesh rest;
  std::vector<Vec3> start;  ///< where the vertices are to begin with
};

/// Vertices are ordered with the direction across fastest, from the curve's left to its right seen from the
/// side the ribbon faces; triangles face that side (of a Moebius band all but at one seam). Throws InputError
/// where a number is out of range, or where the ends of a closed ribbon do not meet.
Ribbon make_ribbon(const RibbonShape& shape);

}  // namespace pliant
