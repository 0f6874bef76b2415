#include "pliant/picture/montage.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {

Image montage(std::span<const Image> images, int columns) {
  constexpr int kGap = 6;
  const int count = static_cast<int>(images.size());
  if (count == 0) return {};
  if (columns <= 0) columns = static_cast<int>(std::ceil(std::sqrt(count)));
  columns = std::min(columns, count);
  const int rows = (count + columns - 1) / columns;
  int width = 0;
  int height = 0;
  for (const Image& image : images) {
    width = std::max(width, image.width());
    height = std::max(height, image.height());
  }
  Image grid(columns * (width + kGap) + kGap, rows * (height + kGap) + kGap, 255);
  for (int i = 0; i < count; ++i) {
    const Image& image = images[static_cast<size_t>(i)];
    if (image.width() == 0) continue;
    const int left = kGap + i % columns * (width + kGap);
    const int top = kGap + i / columns * (height + kGap);
    for (int row = 0; row < image.height(); ++row) {
      std::copy_n(image.pixel(0, row), 3 * image.width(), grid.pixel(left, top + row));
    }
  }
  return grid;
}

}  // namespace pliant
