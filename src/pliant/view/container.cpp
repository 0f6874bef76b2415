#include "pliant/view/container.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "pliant/base/error.hpp"
#include "pliant/base/json.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are sent as they lie in memory");

constexpr std::uint32_t kContainerMagic = 0x544E4C50;
constexpr size_t kPrefix = 8;  // magic and length

size_t padded_to_eight(size_t bytes) { return (bytes + 7) / 8 * 8; }

size_t size_of_type(std::string_view type) {
  if (type == "f64") return 8;
  if (type == "f32" || type == "u32") return 4;
  if (type == "u16") return 2;
  return type == "u8" ? 1 : 0;
}

}  // namespace

std::string ContainerWriter::finish(const std::string& members) const {
  Json head = Json::parse(members);
  Json& list = head["arrays"] = Json::array();
  size_t size = 0;
  for (const Array& array : arrays_) {
    list.push_back({{"name", array.name}, {"type", array.type}, {"offset", size}, {"count", array.count}});
    size += padded_to_eight(array.bytes.size());
  }
  std::string text = head.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize(padded_to_eight(text.size()), ' ');
  const std::uint32_t prefix[] = {kContainerMagic, static_cast<std::uint32_t>(text.size())};
  std::string bytes;
  bytes.reserve(kPrefix + text.size() + size);
  bytes.append(reinterpret_cast<const char*>(prefix), kPrefix).append(text);
  for (const Array& array : arrays_)
    bytes.append(array.bytes).append(padded_to_eight(array.bytes.size()) - array.bytes.size(), '\0');
  return bytes;
}

ContainerReader::ContainerReader(std::string_view bytes, std::string name) : name_(std::move(name)) {
  std::uint32_t prefix[2] = {0, 0};
  if (bytes.size() < kPrefix) fail(format("{} bytes are too few for a container", bytes.size()));
  std::memcpy(prefix, bytes.data(), kPrefix);
  if (prefix[0] != kContainerMagic) fail("does not begin as a container does");
  if (prefix[1] > bytes.size() - kPrefix || prefix[1] % 8 != 0)
    fail(format("states {} bytes of JSON where {} bytes follow", prefix[1], bytes.size() - kPrefix));
  members_ = bytes.substr(kPrefix, prefix[1]);
  const std::string_view data = bytes.substr(kPrefix + prefix[1]);
  try {
    const Json members = parse_json(members_);
    for (const Json& entry : members.at("arrays")) {
      Array array{entry.at("name").get<std::string>(), entry.at("type").get<std::string>(), {}};
      const size_t width = size_of_type(array.type);
      const auto offset = entry.at("offset").get<std::uint64_t>(),
                 count = entry.at("count").get<std::uint64_t>();
      if (width == 0) fail(format("array {} is of an unknown type {}", array.name, array.type));
      if (offset % 8 != 0 || offset > data.size() || count > (data.size() - offset) / width)
        fail(format("array {} ends outside of the {} bytes of data", array.name, data.size()));
      array.bytes = data.substr(offset, count * width);
      arrays_.push_back(std::move(array));
    }
  } catch (const Json::exception& error) {
    fail(format("the JSON of the container is wrong: {}", error.what()));
  }
}

void ContainerReader::fail(const std::string& message) const {
  throw InputError(Complaint{name_, 0, 0, message});
}

bool ContainerReader::has(std::string_view array) const {
  return std::ranges::find(arrays_, array, &Array::name) != arrays_.end();
}

std::string_view ContainerReader::bytes_of(std::string_view array, std::string_view type) const {
  const auto found = std::ranges::find(arrays_, array, &Array::name);
  if (found == arrays_.end()) fail(format("there is no array {}", array));
  if (found->type != type) fail(format("array {} is of type {}, not {}", array, found->type, type));
  return found->bytes;
}

template <class T>
std::vector<T> ContainerReader::numbers(std::string_view array, std::string_view type) const {
  const std::string_view bytes = bytes_of(array, type);
  std::vector<T> result(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

std::vector<float> ContainerReader::f32(std::string_view array) const { return numbers<float>(array, "f32"); }
std::vector<double> ContainerReader::f64(std::string_view array) const {
  return numbers<double>(array, "f64");
}
std::vector<std::uint32_t> ContainerReader::u32(std::string_view array) const {
  return numbers<std::uint32_t>(array, "u32");
}
std::vector<std::uint16_t> ContainerReader::u16(std::string_view array) const {
  return numbers<std::uint16_t>(array, "u16");
}
std::string_view ContainerReader::u8(std::string_view array) const { return bytes_of(array, "u8"); }

}  // namespace pliant
