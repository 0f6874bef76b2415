#include "pliant/picture/image.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {

namespace {

float decode_srgb(double encoded) {
  const double value = encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
  return static_cast<float>(value);
}

float encode_srgb(float light) {
  return light <= 0.0031308F ? 12.92F * light : 1.055F * std::pow(light, 1 / 2.4F) - 0.055F;
}

// Identity up to the shoulder, then a curve with the same slope that approaches 1: most colours stay as
// chosen.
float tone_map(float light) {
  constexpr float kShoulder = 0.75F;
  if (light <= kShoulder) return std::max(light, 0.0F);
  const float excess = (light - kShoulder) / (1 - kShoulder);
  return kShoulder + (1 - kShoulder) * (1 - std::exp(-excess));
}

}  // namespace

Eigen::Vector3f to_linear(const Color& color) {
  return {decode_srgb(color.red), decode_srgb(color.green), decode_srgb(color.blue)};
}

Color palette_color(int n) {
  static constexpr std::array<Color, 8> kPalette = {{
      {0.27, 0.55, 0.80},  // blue
      {0.93, 0.55, 0.30},  // orange
      {0.30, 0.66, 0.57},  // teal
      {0.85, 0.39, 0.42},  // coral
      {0.60, 0.50, 0.76},  // violet
      {0.91, 0.74, 0.33},  // gold
      {0.50, 0.69, 0.33},  // leaf
      {0.50, 0.58, 0.66},  // slate
  }};
  const int size = static_cast<int>(kPalette.size());
  return kPalette[static_cast<size_t>((n % size + size) % size)];
}

Image::Image(int width, int height, std::uint8_t gray)
    : width_(width),
      height_(height),
      bytes_(3 * static_cast<size_t>(width) * static_cast<size_t>(height), gray) {}

// Rounds up or down by Bayer's matrix, or else the faint gradients of the background show as bands.
void Image::set_light(int column, int row, const Eigen::Vector3f& light) {
  static constexpr int kOrder[4][4] = {{7, 15, 5, 13}, {11, 3, 9, 1}, {4, 12, 6, 14}, {8, 0, 10, 2}};
  const float threshold = (static_cast<float>(kOrder[row % 4][column % 4]) + 0.5F) / 16;
  std::uint8_t* bytes = pixel(column, row);
  for (int channel = 0; channel < 3; ++channel) {
    bytes[channel] = static_cast<std::uint8_t>(encode_srgb(tone_map(light[channel])) * 255 + threshold);
  }
}

}  // namespace pliant
