#pragma once

// The one place that names the JSON library; include it from source files only, so that it stays out of the
// public interface.
#include <nlohmann/json.hpp>
#include <string_view>

namespace pliant {
/// Keys keep their order.
using Json = nlohmann::ordered_json;

/// Parses the text of somebody else. What is nested deeper than anything of ours is left out: the library
/// walks through values by recursion, and runs out of stack.
inline Json parse_json(std::string_view text) {
  constexpr int kDeepest = 32;
  return Json::parse(text, [](int depth, Json::parse_event_t, Json&) { return depth < kDeepest; });
}
}  // namespace pliant
