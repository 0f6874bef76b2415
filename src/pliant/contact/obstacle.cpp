#include "pliant/contact/obstacle.hpp"

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
