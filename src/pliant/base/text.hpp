#pragma once

// The one place that names the formatting library; include it from source files only, so that it stays out of
// the public interface.
#include <fmt/core.h>

namespace pliant {
using fmt::format;
}  // namespace pliant
