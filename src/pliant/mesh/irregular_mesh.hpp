#pragma once

#include <array>
#include <functional>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// A mesh in the plane, counter-clockwise.
struct PlaneMesh {
  std::vector<Eigen::Vector2d> points;
  std::vector<std::array<int, 3>> triangles;
};

/// Fills a convex outline with an irregular Delaunay mesh: the corners of the outline, which stay where they
/// are and come first, and points within at distances of about `spacing`, which should be that of the
/// corners. The points within start at random places that keep their distance (the same on every machine)
/// and are then moved to the centre of their surroundings until no angle of a triangle is below 25 degrees,
/// if that is possible. `depth` tells how far inside the outline a place is.
PlaneMesh fill_irregularly(const std::vector<Eigen::Vector2d>& outline, double spacing,
                           const std::function<double(const Eigen::Vector2d&)>& depth);

/// The smallest angle of all triangles, in radians.
double smallest_angle(const PlaneMesh& mesh);

}  // namespace pliant
