#pragma once

#include <Eigen/Geometry>
#include <memory>

#include "pliant/spatial/jet.hpp"

namespace pliant {

using Bounds = Eigen::AlignedBox3d;

/// A region of space by its signed distance: negative inside, zero on the surface, positive outside. The
/// value is the distance to the surface for the shapes themselves and everything that moves, scales, mirrors
/// or thickens them; where shapes are joined or cut it is that at the surface and never more elsewhere. Never
/// changes; may be used from many threads at once.
class Shape {
 public:
  virtual ~Shape() = default;

  virtual double distance(const Vec3& point) const = 0;
  /// With first and second derivatives. Where there are none (at the centre of a ball, on an edge of a box)
  /// they are those of one side, or zero.
  virtual Jet distance_jet(const Vec3& point) const = 0;
  /// A box that holds all of it; infinite where the shape is.
  virtual Bounds bounds() const = 0;
};

using ShapePointer = std::shared_ptr<const Shape>;

}  // namespace pliant
