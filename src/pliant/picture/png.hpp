#pragma once

#include <filesystem>
#include <string>

#include "pliant/picture/image.hpp"

namespace pliant {

/// The bytes of a PNG file.
std::string encode_png(const Image& image);

/// Writes a PNG file, whole or not at all; throws IoError.
void write_png(const std::filesystem::path& path, const Image& image);

}  // namespace pliant
