#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pliant {

/// A reader of what people or other programs wrote. Whatever the bytes, `read` returns, having looked at all
/// that came out, or throws InputError.
struct FuzzedReader {
  std::string_view name;
  void (*read)(const std::string& bytes);
};

std::span<const FuzzedReader> fuzzed_readers();

}  // namespace pliant
