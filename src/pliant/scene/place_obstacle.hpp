#pragma once

#include "pliant/contact/obstacle.hpp"
#include "pliant/scene/keys.hpp"

namespace pliant {

/// The obstacle as its keys describe it, with its exact distance; the surface is there only where it comes
/// from a mesh file. Throws InputError.
Obstacle load_obstacle(const ObstacleKeys& keys);

/// Gives it a surface to draw, of an infinite one the part around the scene, whose bounds are given, and puts
/// its distance on a grid where the keys or the way of contact want that; a grid that was not given is
/// added to the keys. Throws InputError.
void finish_obstacle(ObstacleKeys& keys, Obstacle& obstacle, const Bounds& scene);

}  // namespace pliant
