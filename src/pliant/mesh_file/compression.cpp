#include "pliant/mesh_file/compression.hpp"

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

std::string deflated(std::string_view bytes) {
  constexpr int kRaw = -MAX_WBITS, kMemory = 8;
  constexpr size_t kMost = size_t{1} << 30;  // the library counts in 32 bits
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRaw, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string result;
  std::string buffer(size_t{1} << 20, '\0');
  int status = Z_OK;
  while (status == Z_OK) {
    const std::string_view next = bytes.substr(0, kMost);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(next.data()));
    stream.avail_in = static_cast<uInt>(next.size());
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = deflate(&stream, next.size() == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    bytes.remove_prefix(next.size() - stream.avail_in);
    result.append(buffer, 0, buffer.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return result;
}

bool decompress(std::string_view zlib_data, std::span<char> bytes) {
  uLongf length = bytes.size();
  const int status = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length,
                                reinterpret_cast<const Bytef*>(zlib_data.data()), zlib_data.size());
  return status == Z_OK && length == bytes.size();
}

}  // namespace pliant
