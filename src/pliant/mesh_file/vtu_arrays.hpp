#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/mesh_file/xml_reader.hpp"

namespace pliant {

/// A <DataArray> of a VTK XML file: what its tag says, and its text where it has one. The numbers are decoded
/// later, since those of `appended` arrays lie at the end of the file.
struct VtuArray {
  enum class Format { kAscii, kBinary, kAppended };

  std::string name, type;  // as the file names the type: Float64, Int32, ...
  std::int64_t components = 1;
  Format format = Format::kAscii;
  std::uint64_t offset = 0;
  std::string_view text;
  TextPlace tag_place, text_place;
};

/// Decodes the arrays of a file: text, base64 or raw bytes, of either byte order, compressed or not. Numbers
/// that an array does not have, or that are not finite, are an InputError with file and line.
///
/// A small file can claim to unpack into a huge one. Regular grids compress best, and a file of one is a
/// twelfth of what its arrays take in memory, all as numbers of 8 bytes. So all arrays of a file together may
/// take `kMostGrowth` times its size, and `kAlwaysAllowed` bytes besides, for small files of constant fields,
/// but never more than `most`.
class VtuDecoder {
 public:
  static constexpr std::uint64_t kMostGrowth = 256, kAlwaysAllowed = 1 << 20;

  VtuDecoder(const std::string& file, std::uint64_t file_size, std::uint64_t most);

  std::endian order = std::endian::little;
  bool wide_headers = false;  ///< of 8 bytes; otherwise of 4
  std::string compressor;     ///< as the file names it; empty for none
  std::string_view appended;  ///< what comes after the underscore
  bool appended_is_base64 = false;

  /// Whether so many numbers could be in the file at all.
  bool can_hold(std::uint64_t numbers) const { return numbers <= budget_ / sizeof(double); }

  std::vector<double> numbers(const VtuArray& array, std::uint64_t count);
  std::vector<std::int64_t> integers(const VtuArray& array, std::uint64_t count);

  /// Complains about an array, by name, where its tag stands.
  [[noreturn]] void fail(const VtuArray& array, std::string_view message) const;

 private:
  template <class T>
  std::vector<T> values(const VtuArray& array, std::uint64_t count);
  template <class T>
  std::vector<T> text_values(const VtuArray& array, std::uint64_t count) const;
  std::string bytes(const VtuArray& array, std::uint64_t length) const;

  std::string file_;
  std::uint64_t file_size_, most_, budget_;
};

}  // namespace pliant
