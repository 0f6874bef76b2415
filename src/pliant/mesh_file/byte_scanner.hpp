#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "pliant/base/types.hpp"

namespace pliant {

/// Reads binary data held in memory and knows where it is, so that every complaint is an InputError that says
/// "file: byte N: ...", where N counts from 0 and is where the thing last read begins. Reading past the end
/// is such a complaint too. The bytes must outlive the scanner.
///
///     ByteScanner scanner(name, bytes, std::endian::little);
///     const Index triangles = scanner.count(scanner.read<std::uint32_t>("the number of triangles"),
///                                           "triangles", 50);
class ByteScanner {
 public:
  ByteScanner(std::string file, std::string_view bytes, std::endian order);

  Index position() const { return static_cast<Index>(position_); }
  Index remaining() const { return static_cast<Index>(bytes_.size() - position_); }
  bool at_end() const { return position_ == bytes_.size(); }

  /// Goes to a byte of the data, which may be the end; `wanted` says what should be there.
  void seek(std::uint64_t position, std::string_view wanted);
  /// The next bytes, as they stand.
  std::string_view take(std::uint64_t length, std::string_view wanted);
  void skip(std::uint64_t length, std::string_view wanted) { take(length, wanted); }

  /// An integer or a floating-point number in the order of the data; the latter may be infinite or NaN.
  template <class T>
  T read(std::string_view wanted) {
    static_assert(std::is_arithmetic_v<T>);
    const std::string_view taken = take(sizeof(T), wanted);
    std::array<char, sizeof(T)> bytes{};
    std::copy(taken.begin(), taken.end(), bytes.begin());
    if (order_ != std::endian::native) std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<T>(bytes);
  }

  /// `value` things follow, each at least `bytes_each` (1 or more) long: a number that the rest of the data
  /// cannot hold, or that an int cannot, is refused before anybody reserves memory for it.
  Index count(std::uint64_t value, std::string_view things, Index bytes_each) const;

  [[noreturn]] void fail(std::string_view message) const;

 private:
  std::string file_;
  std::string_view bytes_;
  std::endian order_;
  size_t position_ = 0, mark_ = 0;  // mark: where a complaint points
};

}  // namespace pliant
