#pragma once

#include <array>

#include "pliant/kernel/definiteness.hpp"
#include "pliant/spatial/triangle_tree.hpp"

namespace pliant {

/// Derivatives by the coordinates of four vertices.
using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;

/// A point and the part of a triangle that it is nearest to: its plane, the line of an edge, or a corner. All
/// three have the same four vertices; those that a part does not touch have no influence.
struct PointPrimitive {
  std::array<Vec3, 4> x;  ///< the point, then the corners of the triangle
  ClosestPoint::Feature feature = ClosestPoint::Feature::face;
  int which = 0;  ///< as in ClosestPoint
};

/// The squared distance of the point from its primitive, m^2, and where wanted (not null) its derivatives by
/// all coordinates, also those that move the nearest point. Value and gradient are continuous where the
/// nearest part of the triangle changes.
double squared_distance(const PointPrimitive& pair, Vec12* gradient = nullptr, Mat12* hessian = nullptr);

/// The energy of a point as deep inside a body as it is far from this primitive of its surface (gast-2014,
/// section 5.3): k d sqrt(d + epsilon), with d the squared distance, so about k depth^3; k in Pa.
double penetration_energy(const PointPrimitive& pair, double stiffness, Vec12* gradient = nullptr,
                          Mat12* hessian = nullptr, Definiteness definiteness = Definiteness::none);

}  // namespace pliant
