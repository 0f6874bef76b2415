#pragma once

#include <bit>
#include <string>
#include <string_view>
#include <type_traits>

namespace pliant {

static_assert(std::endian::native == std::endian::little, "files are written as the bytes lie in memory");

/// Puts a number behind the bytes of a little-endian file.
template <class T>
void append_bytes(std::string& bytes, T value) {
  static_assert(std::is_arithmetic_v<T>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// The nearest number in single precision. Throws InputError where that would be infinite; `format` names
/// the kind of file.
float to_single_precision(double value, std::string_view format);

}  // namespace pliant
