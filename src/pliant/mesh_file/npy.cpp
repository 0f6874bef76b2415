// The format: "\x93NUMPY", version (2 bytes), length of the header (2 bytes in version 1, 4 in versions 2 and
// 3), the header, which is a Python dictionary, and the numbers.

#include "pliant/mesh_file/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

static_assert(std::endian::native == std::endian::little, "'<f4' is written as the bytes lie in memory");

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr size_t kAlignment = 64;  // of the numbers, as the format asks

/// What is left of a header, taken piece by piece.
class NpyHeader {
 public:
  NpyHeader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  [[noreturn]] void fail(std::string message) const {
    throw InputError(Complaint{file_, 0, 0, std::move(message)});
  }

  /// The text after "'key':", without blanks in front.
  std::string_view value(std::string_view key) const {
    const size_t at = text_.find(format("'{}':", key));
    if (at == std::string_view::npos) fail(format("the header of this .npy file has no '{}'", key));
    const std::string_view rest = text_.substr(at + key.size() + 3);
    return rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
  }

  /// Two sizes in brackets.
  std::array<Index, 2> shape() const {
    std::array<Index, 2> sizes{};
    std::string_view rest = value("shape");
    const auto skip = [&](char c) {
      rest = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
      if (rest.empty() || rest[0] != c)
        fail("this .npy array is not a table; its shape must be (rows, columns)");
      rest.remove_prefix(1);
      rest = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
    };
    skip('(');
    for (int i = 0; i < 2; ++i) {
      if (i == 1) skip(',');
      const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), sizes[i]);
      if (error != std::errc() || sizes[i] < 0)
        fail("the shape in the header of this .npy file is not (rows, columns)");
      rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    }
    skip(')');
    return sizes;
  }

 private:
  std::string_view text_;
  const std::string& file_;
};

/// Whether count = rows * columns, by division: a hostile shape overflows the product.
bool fits(Index count, Index rows, Index columns) {
  if (rows == 0 || columns == 0) return count == 0;
  return count % rows == 0 && count / rows == columns;
}

/// Splits off the header.
std::string_view take_header(std::string_view& bytes, const std::string& file) {
  const auto fail = [&](const char* message) { throw InputError(Complaint{file, 0, 0, message}); };
  if (bytes.substr(0, kMagic.size()) != kMagic)
    fail("this is not a .npy file: it does not begin with \\x93NUMPY");
  if (bytes.size() < 12) fail("this .npy file is cut off in its header");
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(bytes[i])); };
  const size_t version = byte(6);
  if (version < 1 || version > 3) fail("this .npy file has an unknown format version; 1 to 3 are read");
  const size_t start = version == 1 ? 10 : 12;
  size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > bytes.size() - start) fail("this .npy file is cut off in its header");
  const std::string_view header = bytes.substr(start, length);
  bytes.remove_prefix(start + length);
  return header;
}

}  // namespace

std::string npy_bytes(std::span<const float> values, Index rows, Index columns) {
  if (rows < 0 || columns < 0 || !fits(static_cast<Index>(values.size()), rows, columns)) {
    throw InputError(format("{} values do not make a table of {} x {}", values.size(), rows, columns));
  }
  std::string header =
      format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  const size_t start = kMagic.size() + 4;
  header.append((kAlignment - (start + header.size() + 1) % kAlignment) % kAlignment, ' ');
  header += '\n';
  std::string bytes(kMagic);
  bytes += {'\1', '\0', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  bytes += header;
  return bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

NpyArray parse_npy(std::string_view bytes, const std::string& name) {
  const NpyHeader header(take_header(bytes, name), name);
  if (!header.value("descr").starts_with("'<f4'"))
    header.fail("this .npy file does not hold '<f4' (float32) numbers");
  if (!header.value("fortran_order").starts_with("False")) header.fail("this .npy file is not in C order");
  const auto [rows, columns] = header.shape();
  if (bytes.size() % sizeof(float) != 0 ||
      !fits(static_cast<Index>(bytes.size() / sizeof(float)), rows, columns)) {
    header.fail(
        format("this .npy file states {} x {} numbers of 4 bytes, but {} bytes follow; is it cut off?", rows,
               columns, bytes.size()));
  }
  NpyArray array{std::vector<float>(bytes.size() / sizeof(float)), rows, columns};
  if (!bytes.empty()) std::memcpy(array.values.data(), bytes.data(), bytes.size());
  return array;
}

NpyArray read_npy(const std::filesystem::path& path) { return parse_npy(read_file(path), path.string()); }

}  // namespace pliant
