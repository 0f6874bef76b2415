#pragma once

#include "pliant/spatial/shape.hpp"

namespace pliant {

// The shapes themselves, centred at the origin; what has an axis has it along y. Sizes are in metres and must
// be positive unless said otherwise; all throw InputError where they are not.

ShapePointer make_sphere(double radius);
ShapePointer make_ellipsoid(const Vec3& radii);
/// A ring of radius `major`, as thick as a ball of radius `minor`, which is smaller.
ShapePointer make_torus(double major, double minor);
/// All within `radius` of a segment of this length.
ShapePointer make_capsule(double length, double radius);
ShapePointer make_cylinder(double radius, double height);
/// Of radius `bottom` at -height/2 and `top`, which may be 0, at +height/2.
ShapePointer make_cone(double bottom, double top, double height);
/// With edges rounded to the radius `round`, 0 for sharp ones; at most half the smallest side.
ShapePointer make_box_shape(const Vec3& size, double round);
/// A box with a round hole along y through its centre, which must not reach its sides.
ShapePointer make_plate(const Vec3& size, double hole);
/// A spherical shell of this outer radius and thickness, open above the height `rim` (between -radius and
/// radius; 0 is a half ball), its rim rounded.
ShapePointer make_bowl(double radius, double thickness, double rim);
/// The half space below the plane through the origin with this normal, of any length but zero.
ShapePointer make_half_space(const Vec3& normal);

// What is made from other shapes.

ShapePointer unite(ShapePointer a, ShapePointer b);
ShapePointer subtract(ShapePointer a, ShapePointer b);
ShapePointer intersect(ShapePointer a, ShapePointer b);
/// A union with its inner edges filled, from where the distances of both differ by less than `radius`; twice
/// differentiable.
ShapePointer blend(ShapePointer a, ShapePointer b, double radius);
/// The skin of a shape, this thick, below its surface.
ShapePointer hollow(ShapePointer a, double thickness);
/// All within this distance of the shape; with a negative one, what is deeper inside than that.
ShapePointer offset(ShapePointer a, double distance);
/// What lies on the positive side of x = 0 (axis 0), y = 0 or z = 0, and its image in that plane.
ShapePointer mirror(ShapePointer a, int axis);
/// Scaled, then turned, then moved.
ShapePointer moved(ShapePointer a, double scale, const Eigen::Quaterniond& turn, const Vec3& translate);

}  // namespace pliant
