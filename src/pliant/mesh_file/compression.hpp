#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pliant {

/// The bytes in zlib's format.
std::string compressed(std::string_view bytes);

/// The bytes as a deflate stream, without zlib's frame around it.
std::string deflated(std::string_view bytes);

/// Turns what is in zlib's format back into exactly as many bytes as `bytes` has place for; false where it is
/// damaged or others in number. Never writes, nor reserves, more.
bool decompress(std::string_view zlib_data, std::span<char> bytes);

}  // namespace pliant
