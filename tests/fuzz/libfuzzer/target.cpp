// One program a reader: PLIANT_READER says which.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "fuzz/readers.hpp"
#include "pliant/base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const pliant::FuzzedReader& reader =
      *std::ranges::find(pliant::fuzzed_readers(), PLIANT_READER, &pliant::FuzzedReader::name);
  try {
    reader.read(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const pliant::InputError&) {
  }
  return 0;
}
