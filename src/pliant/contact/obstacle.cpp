#include "pliant/contact/obstacle.hpp"

#include <algorithm>
#include <limits>

namespace pliant {

PlacedObstacle::PlacedObstacle(const Obstacle& obstacle, double t)
    : obstacle_(&obstacle), pose_(obstacle.pose(t)) {
  const Bounds bounds = obstacle.shape->bounds();
  const bool finite = bounds.min().allFinite() && bounds.max().allFinite();
  middle_ = finite ? pose_.position(bounds.center()) : Vec3(Vec3::Zero());
  half_size_ = finite ? Vec3(0.5 * pose_.turn.cwiseAbs() * bounds.sizes())
                      : Vec3::Constant(std::numeric_limits<double>::infinity());
}

std::vector<const Obstacle*> obstacles_of(const std::vector<Obstacle>& obstacles, ContactWay way) {
  std::vector<const Obstacle*> of_way;
  for (const Obstacle& obstacle : obstacles)
    if (obstacle.way == way) of_way.push_back(&obstacle);
  return of_way;
}

bool any_rubs(std::span<const Obstacle* const> obstacles) {
  return std::any_of(obstacles.begin(), obstacles.end(),
                     [](const Obstacle* one) { return one->friction > 0; });
}

Jet PlacedObstacle::distance_jet(const Vec3& x) const {
  const Jet own = obstacle_->shape->distance_jet(pose_.start(x));
  return {own.value, pose_.turn * own.gradient, pose_.turn * own.hessian * pose_.turn.transpose()};
}

std::string_view name(ContactWay way) {
  switch (way) {
    case ContactWay::constraint:
      return "constraint";
    case ContactWay::penalty:
      return "penalty";
    case ContactWay::springs:
      return "springs";
    case ContactWay::post_process:
      return "post-process";
    case ContactWay::program:
      return "program";
  }
  return "";
}

}  // namespace pliant
