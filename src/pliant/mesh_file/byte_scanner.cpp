#include "pliant/mesh_file/byte_scanner.hpp"

#include <limits>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

ByteScanner::ByteScanner(std::string file, std::string_view bytes, std::endian order)
    : file_(std::move(file)), bytes_(bytes), order_(order) {}

void ByteScanner::seek(std::uint64_t position, std::string_view wanted) {
  if (position > bytes_.size()) {
    fail(format("{} should begin at byte {}, but there are only {} bytes; is the file cut off?", wanted,
                position, bytes_.size()));
  }
  position_ = mark_ = static_cast<size_t>(position);
}

std::string_view ByteScanner::take(std::uint64_t length, std::string_view wanted) {
  mark_ = position_;
  if (length > bytes_.size() - position_) {
    fail(format("{} should be here ({} bytes), but only {} bytes are left; is the file cut off?", wanted,
                length, remaining()));
  }
  position_ += static_cast<size_t>(length);
  return bytes_.substr(mark_, static_cast<size_t>(length));
}

Index ByteScanner::count(std::uint64_t value, std::string_view things, Index bytes_each) const {
  if (value > static_cast<std::uint64_t>(remaining() / bytes_each)) {
    fail(format("{} {} cannot be in the {} bytes that follow; is the count wrong or the file cut off?", value,
                things, remaining()));
  }
  if (value > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
    fail(format("{} {} are more than can be numbered; split the file", value, things));
  return static_cast<Index>(value);
}

void ByteScanner::fail(std::string_view message) const {
  throw InputError(Complaint{file_, 0, 0, format("byte {}: {}", mark_, message)});
}

}  // namespace pliant
