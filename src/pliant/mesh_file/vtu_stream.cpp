#include "pliant/mesh_file/vtu_stream.hpp"

#include <algorithm>

namespace pliant {

namespace {

constexpr std::string_view kBase64Blanks = " \t\r\n";

/// 0 to 63; -1 for padding, -2 for anything else.
int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return c == '=' ? -1 : -2;
}

}  // namespace

bool VtuStream::next_group() {
  std::array<int, 4> digits{};
  for (int& digit : digits) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBase64Blanks), rest_.size()));
    if (rest_.empty()) return false;
    digit = base64_digit(rest_[0]);
    rest_.remove_prefix(1);
  }
  const bool padded = digits[3] == -1, twice = padded && digits[2] == -1;
  if (digits[0] < 0 || digits[1] < 0 || digits[2] < (twice ? -1 : 0) || digits[3] < -1) return false;
  const int bits = digits[0] << 18 | digits[1] << 12 | std::max(digits[2], 0) << 6 | std::max(digits[3], 0);
  group_ = {static_cast<char>(bits >> 16), static_cast<char>(bits >> 8), static_cast<char>(bits)};
  used_ = 0;
  decoded_ = twice ? 1 : padded ? 2 : 3;
  return true;
}

std::string VtuStream::take(std::uint64_t length) {
  if (!base64_) {
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(taken.size());
    return std::string(taken);
  }
  std::string result;
  result.reserve(std::min(length, at_most()));
  while (result.size() < length) {
    if (used_ == decoded_ && !next_group()) break;
    result += group_[used_++];
  }
  return result;
}

}  // namespace pliant
