#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "pliant/base/error.hpp"
#include "pliant/scene/scene.hpp"

/// All complaints about a scene text, one a line; empty when there are none.
inline std::string complaints_about(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    pliant::place_scene(pliant::parse_scene(text, "s.toml", overrides), ".");
  } catch (const pliant::InputError& error) {
    return error.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Three lines, so that what is appended starts on line 4.
const std::string kHead = "name = \"Test\"\nduration = 1\n\n";
/// Two lines.
const std::string kBody = "[[body]]\nshape = { cells = [1, 1, 1] }\n";
