#pragma once

#include <cstdint>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// A colour as people write it: red, green and blue from 0 to 1 in the sRGB encoding.
struct Color {
  double red = 0;
  double green = 0;
  double blue = 0;
};

/// The colour as proportional amounts of light, which may be added and multiplied.
Eigen::Vector3f to_linear(const Color& color);

/// The n-th of a series of calm colours that are easy to tell apart, also for most colour-blind people.
/// Repeats after the last one.
Color palette_color(int n);

/// Of what is not the subject of a picture.
inline constexpr Color kNeutralColor = {0.76, 0.74, 0.71};

/// An 8-bit RGB image in the sRGB encoding; rows from the top, pixels from the left, three bytes each.
class Image {
 public:
  Image() = default;
  Image(int width, int height, std::uint8_t gray = 0);

  int width() const { return width_; }
  int height() const { return height_; }
  std::uint8_t* pixel(int column, int row) { return bytes_.data() + offset(column, row); }
  const std::uint8_t* pixel(int column, int row) const { return bytes_.data() + offset(column, row); }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

  /// Stores linear light, 1 being white: highlights roll off softly instead of clipping, gradients are
  /// dithered.
  void set_light(int column, int row, const Eigen::Vector3f& light);

 private:
  Index offset(int column, int row) const { return 3 * (static_cast<Index>(row) * width_ + column); }

  int width_ = 0;
  int height_ = 0;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace pliant
