#pragma once

#include "pliant/picture/camera.hpp"
#include "pliant/picture/sampling.hpp"

namespace pliant {

/// The light of a photographer's studio: a large warm key light, seen from the camera above to the left, and
/// a cool sky around. Distances play no part, so a millimetre and a kilometre look alike.
class Lighting {
 public:
  explicit Lighting(const Camera& camera);

  /// Towards the middle of the key light.
  const Eigen::Vector3f& key_direction() const { return key_; }
  Eigen::Vector3f key_color() const { return {1.00F, 0.96F, 0.90F}; }
  /// Tangent of the angle that the key light reaches to each side.
  float key_spread() const { return 0.2F; }
  /// Towards a point of the key light.
  Eigen::Vector3f key_direction(const Sample& sample) const;

  /// Light that comes from above along a direction.
  Eigen::Vector3f sky(const Eigen::Vector3f& direction) const;
  /// What is seen where there is nothing to see.
  Eigen::Vector3f background(const Eigen::Vector3f& direction) const;

 private:
  Eigen::Vector3f key_;
  Eigen::Vector3f across_;
  Eigen::Vector3f along_;
};

}  // namespace pliant
