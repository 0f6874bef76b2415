#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "pliant/base/types.hpp"

namespace pliant {

/// A point of the unit square.
using Sample = Eigen::Vector2f;

/// Point i of Sobol's first two dimensions: any 2^k consecutive ones, aligned, are spread evenly over the
/// unit square in every sense that counts. No random numbers, so a picture has the same bytes whoever
/// computes which part of it.
inline Sample sobol_point(std::uint32_t i) {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t direction = 1U << 31;
  for (int bit = 0; i != 0; i >>= 1, ++bit, direction ^= direction >> 1) {
    if ((i & 1U) == 0) continue;
    x ^= 1U << (31 - bit);
    y ^= direction;
  }
  constexpr float kScale = 1.0F / 16777216;
  return {static_cast<float>(x >> 8) * kScale, static_cast<float>(y >> 8) * kScale};
}

/// From the unit square to the unit disc, keeping areas.
inline Eigen::Vector2f to_disc(const Sample& sample) {
  const float radius = std::sqrt(sample.x());
  const float angle = 2 * std::numbers::pi_v<float> * sample.y();
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// Two unit vectors that complete a unit vector to a right-handed frame (Duff et al. 2017).
inline void complete_frame(const Eigen::Vector3f& z, Eigen::Vector3f& x, Eigen::Vector3f& y) {
  const float sign = std::copysign(1.0F, z.z());
  const float a = -1 / (sign + z.z());
  const float b = z.x() * z.y() * a;
  x = {1 + sign * z.x() * z.x() * a, sign * b, -sign * z.x()};
  y = {b, sign + z.y() * z.y() * a, -z.y()};
}

}  // namespace pliant
