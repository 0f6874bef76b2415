#pragma once

// The one place that names the JSON library; include it from source files only, so that it stays out of the
// public interface.
#include <nlohmann/json.hpp>

namespace pliant {
/// Keys keep their order.
using Json = nlohmann::ordered_json;
}  // namespace pliant
