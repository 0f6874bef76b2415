#include "pliant/picture/png.hpp"

#include <png.h>

#include <stdexcept>

#include "pliant/base/files.hpp"

namespace pliant {

std::string encode_png(const Image& image) {
  png_image png = {};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width());
  png.height = static_cast<png_uint_32>(image.height());
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string contents(size, '\0');
  if (png_image_write_to_memory(&png, contents.data(), &size, 0, image.bytes().data(), 0, nullptr) == 0) {
    throw std::runtime_error(std::string("cannot encode a PNG image: ") + png.message);
  }
  contents.resize(size);
  return contents;
}

void write_png(const std::filesystem::path& path, const Image& image) {
  write_file_atomically(path, encode_png(image));
}

}  // namespace pliant
