// The binary encodings as VTK's wiki describes them ("VTK XML Formats"): uncompressed data are
// [bytes][data]; compressed ones [blocks][size of a block][size of the last one, or 0 for a whole one]
// [compressed size of each block][blocks].

#include "pliant/mesh_file/vtu_arrays.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh_file/byte_scanner.hpp"
#include "pliant/mesh_file/compression.hpp"
#include "pliant/mesh_file/text_scanner.hpp"
#include "pliant/mesh_file/vtu_stream.hpp"

namespace pliant {

namespace {

/// Calls `action` with a number of the type that the file names; false where there is no such type.
template <class Action>
bool with_type(std::string_view name, Action action) {
  if (name == "Float64") return action(double()), true;
  if (name == "Float32") return action(float()), true;
  if (name == "Int64") return action(std::int64_t()), true;
  if (name == "UInt64") return action(std::uint64_t()), true;
  if (name == "Int32") return action(std::int32_t()), true;
  if (name == "UInt32") return action(std::uint32_t()), true;
  if (name == "Int16") return action(std::int16_t()), true;
  if (name == "UInt16") return action(std::uint16_t()), true;
  if (name == "Int8") return action(std::int8_t()), true;
  if (name == "UInt8") return action(std::uint8_t()), true;
  return false;
}

/// The bytes of one array, out of a stream that may end too early.
class VtuArrayBytes {
 public:
  VtuArrayBytes(const VtuDecoder& decoder, const VtuArray& array, VtuStream stream)
      : decoder_(decoder), array_(array), stream_(stream) {}

  std::string plain(std::uint64_t length) {
    expect_length(header_word(), length);
    return take(length);
  }
  std::string inflated(std::uint64_t length);

 private:
  std::string take(std::uint64_t length) {
    if (length <= stream_.at_most()) {
      std::string bytes = stream_.take(length);
      if (bytes.size() == length) return bytes;
    }
    decoder_.fail(
        array_, format("its data end before the {} bytes that it should have; is the file cut off?", length));
  }
  std::uint64_t header_word() {
    const std::string bytes = take(decoder_.wide_headers ? 8 : 4);
    ByteScanner scanner("", bytes, decoder_.order);
    return decoder_.wide_headers ? scanner.read<std::uint64_t>("") : scanner.read<std::uint32_t>("");
  }
  void expect_length(std::uint64_t found, std::uint64_t wanted) const {
    if (found != wanted) decoder_.fail(array_, format("it has {} bytes where {} are needed", found, wanted));
  }

  const VtuDecoder& decoder_;
  const VtuArray& array_;
  VtuStream stream_;
};

std::string VtuArrayBytes::inflated(std::uint64_t length) {
  const std::uint64_t blocks = header_word(), block_size = header_word(), partial = header_word();
  // Checked piece by piece, so that products cannot overflow.
  if (blocks > length || (blocks > 1 && block_size > length / (blocks - 1)) || partial > block_size)
    decoder_.fail(array_, format("{} blocks of {} bytes are not the {} bytes that are needed", blocks,
                                 block_size, length));
  const std::uint64_t last = partial > 0 ? partial : block_size;
  expect_length(blocks == 0 ? 0 : (blocks - 1) * block_size + last, length);
  if (blocks > stream_.at_most() / 4)
    decoder_.fail(array_, format("{} blocks cannot be in what follows; is the file cut off?", blocks));
  std::vector<std::uint64_t> sizes(blocks);
  for (std::uint64_t& size : sizes) size = header_word();
  std::string result(length, '\0');
  std::uint64_t done = 0;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const std::uint64_t size = b + 1 == blocks ? last : block_size;
    if (!decompress(take(sizes[b]), std::span(result).subspan(done, size)))
      decoder_.fail(array_, format("block {} of its compressed data is damaged", b));
    done += size;
  }
  return result;
}

}  // namespace

VtuDecoder::VtuDecoder(const std::string& file, std::uint64_t file_size, std::uint64_t most)
    : file_(file),
      file_size_(file_size),
      most_(std::min(most, kMostGrowth * file_size + kAlwaysAllowed)),
      budget_(most_) {}

std::vector<double> VtuDecoder::numbers(const VtuArray& array, std::uint64_t count) {
  return values<double>(array, count);
}

std::vector<std::int64_t> VtuDecoder::integers(const VtuArray& array, std::uint64_t count) {
  if (array.type.starts_with("Float")) fail(array, "it must be of integers");
  return values<std::int64_t>(array, count);
}

void VtuDecoder::fail(const VtuArray& array, std::string_view message) const {
  throw InputError(Complaint{file_, static_cast<int>(array.tag_place.line),
                             static_cast<int>(array.tag_place.column),
                             format("array '{}': {}", array.name, message)});
}

template <class T>
std::vector<T> VtuDecoder::values(const VtuArray& array, std::uint64_t count) {
  if (count == 0) return {};
  if (!can_hold(count)) {
    fail(array, format("{} numbers are more than a file of {} bytes may unpack to ({} bytes in all)", count,
                       file_size_, most_));
  }
  budget_ -= count * sizeof(double);
  if (array.format == VtuArray::Format::kAscii) return text_values<T>(array, count);
  std::vector<T> result;
  const bool known = with_type(array.type, [&](auto number) {
    const std::string raw = bytes(array, count * sizeof number);
    ByteScanner scanner(file_, raw, order);
    result.resize(count);
    for (T& value : result) value = static_cast<T>(scanner.read<decltype(number)>(""));
  });
  if (!known) fail(array, format("type {} is not supported", in_quotes(array.type)));
  for (size_t i = 0; i < result.size(); ++i)
    if (!std::isfinite(static_cast<double>(result[i])))
      fail(array, format("number {} is {}; it must be finite", i, result[i]));
  return result;
}

template <class T>
std::vector<T> VtuDecoder::text_values(const VtuArray& array, std::uint64_t count) const {
  TextScanner scanner(file_, array.text);
  scanner.begin_at(array.text_place.line, array.text_place.column);
  if (count > (array.text.size() + 1) / 2)
    fail(array, format("{} numbers cannot be in its {} bytes", count, array.text.size()));
  std::vector<T> result;
  result.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (scanner.at_end())
      scanner.fail(format("array '{}' ends after {} of {} numbers", array.name, i, count));
    if constexpr (std::is_integral_v<T>)
      result.push_back(scanner.integer("an integer"));
    else
      result.push_back(scanner.number("a number"));
    if (!std::isfinite(static_cast<double>(result.back())))
      scanner.complain(
          format("number {} of array '{}' is {}; it must be finite", i, array.name, result.back()));
  }
  if (!scanner.at_end()) scanner.fail(format("array '{}' has more than {} numbers", array.name, count));
  scanner.finish();
  return result;
}

std::string VtuDecoder::bytes(const VtuArray& array, std::uint64_t length) const {
  if (!compressor.empty() && compressor != "vtkZLibDataCompressor") {
    fail(array, format("compressor {} is not supported; save it with zlib, or without compression",
                       in_quotes(compressor)));
  }
  const bool is_appended = array.format == VtuArray::Format::kAppended;
  if (is_appended && array.offset > appended.size())
    fail(array, format("its offset {} is beyond the {} bytes of <AppendedData>; is the file cut off?",
                       array.offset, appended.size()));
  const VtuStream stream = is_appended ? VtuStream(appended.substr(array.offset), appended_is_base64)
                                       : VtuStream(array.text, true);
  VtuArrayBytes source(*this, array, stream);
  return compressor.empty() ? source.plain(length) : source.inflated(length);
}

}  // namespace pliant
