#pragma once

#include <string>

#include "pliant/scene/keys.hpp"

namespace pliant {

/// A scene as TOML with every key and every default filled in. Reading it back gives the same scene.
std::string to_toml(SceneKeys keys);

}  // namespace pliant
