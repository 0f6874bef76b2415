#pragma once

#include <algorithm>
#include <string>

namespace pliant::testing {

/// Names of ours as gtest allows them.
inline std::string as_test_name(std::string_view name) {
  std::string allowed(name);
  std::replace(allowed.begin(), allowed.end(), '-', '_');
  return allowed;
}

}  // namespace pliant::testing
