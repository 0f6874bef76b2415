#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace pliant {

/// Bytes that lie in a file as they are or in base64, taken piece by piece. Base64 may have blanks anywhere,
/// and padding in the middle, since VTK encodes a header and what follows it each on its own.
class VtuStream {
 public:
  VtuStream(std::string_view encoded, bool base64) : rest_(encoded), base64_(base64) {}

  /// No more bytes than these are left.
  std::uint64_t at_most() const { return base64_ ? rest_.size() / 4 * 3 + 3 : rest_.size(); }
  /// The next bytes; fewer where the text ends or is no base64.
  std::string take(std::uint64_t length);

 private:
  /// Decodes the next four characters; false where there are none, or no base64.
  bool next_group();

  std::string_view rest_;
  bool base64_;
  std::array<char, 3> group_{};
  size_t used_ = 0, decoded_ = 0;  // bytes of the last group
};

}  // namespace pliant
