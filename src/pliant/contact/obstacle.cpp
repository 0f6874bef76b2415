#include "pliant/contact/obstacle.hpp"

namespace pliant {

Jet PlacedObstacle::distance_jet(const Vec3& x) const {
  const Jet own = shape_->distance_jet(pose_.start(x));
  return {own.value, pose_.turn * own.gradient, pose_.turn * own.hessian * pose_.turn.transpose()};
}

std::string_view name(ContactWay way) {
  switch (way) {
    case ContactWay::constraint:
      return "constraint";
    case ContactWay::penalty:
      return "penalty";
    case ContactWay::post_process:
      return "post-process";
  }
  return "";
}

}  // namespace pliant
