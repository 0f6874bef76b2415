#include "pliant/geometry/compression.hpp"

#include <zlib.h>

#include <new>

namespace pliant {

std::string compressed(std::string_view bytes) {
  uLongf length = compressBound(bytes.size());
  std::string result(length, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(result.data()), &length,
                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), Z_DEFAULT_COMPRESSION);
  if (status != Z_OK) throw std::bad_alloc();  // the only way it can fail
  result.resize(length);
  return result;
}

bool decompress(std::string_view zlib_data, std::span<char> bytes) {
  uLongf length = bytes.size();
  const int status = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length,
                                reinterpret_cast<const Bytef*>(zlib_data.data()), zlib_data.size());
  return status == Z_OK && length == bytes.size();
}

}  // namespace pliant
