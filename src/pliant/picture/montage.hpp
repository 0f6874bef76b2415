#pragma once

#include <span>

#include "pliant/picture/image.hpp"

namespace pliant {

/// Puts images into one picture, row by row, with small white gaps between them and around. Cells are as
/// large as the largest image. With `columns` 0 the grid is about as wide as it is tall, in images.
Image montage(std::span<const Image> images, int columns = 0);

}  // namespace pliant
