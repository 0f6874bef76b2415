#pragma once

#include <string>

namespace pliant {

/// The reference page of scene files (docs/scenes.md), in Markdown.
std::string scene_reference();

/// A JSON schema of scene files, for editors that complete and check TOML.
std::string scene_schema();

}  // namespace pliant
