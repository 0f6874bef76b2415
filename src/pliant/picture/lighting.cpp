#include "pliant/picture/lighting.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {

namespace {

constexpr double kKeyElevation = 52 * std::numbers::pi / 180;
constexpr double kKeyToTheLeft = 55 * std::numbers::pi / 180;

Eigen::Vector3f mix(const Eigen::Vector3f& a, const Eigen::Vector3f& b, float t) { return a + t * (b - a); }

}  // namespace

Lighting::Lighting(const Camera& camera) {
  const Vec3 right = camera.axes().col(0);
  const Vec3 towards_camera = right.cross(Vec3::UnitY()).normalized();
  const Vec3 level = std::cos(kKeyToTheLeft) * towards_camera - std::sin(kKeyToTheLeft) * right;
  key_ =
      (std::cos(kKeyElevation) * level + std::sin(kKeyElevation) * Vec3::UnitY()).cast<float>().normalized();
  complete_frame(key_, across_, along_);
}

Eigen::Vector3f Lighting::key_direction(const Sample& sample) const {
  const Eigen::Vector2f disc = key_spread() * to_disc(sample);
  return (key_ + disc.x() * across_ + disc.y() * along_).normalized();
}

Eigen::Vector3f Lighting::sky(const Eigen::Vector3f& direction) const {
  const float height = std::clamp(direction.y(), 0.0F, 1.0F);
  return mix({0.40F, 0.40F, 0.41F}, {0.46F, 0.49F, 0.53F}, height);
}

Eigen::Vector3f Lighting::background(const Eigen::Vector3f& direction) const {
  const float height = std::clamp(1.6F * direction.y(), 0.0F, 1.0F);
  return mix({0.94F, 0.95F, 0.96F}, {0.74F, 0.80F, 0.87F}, height);
}

}  // namespace pliant
