#pragma once

#include <filesystem>
#include <string>

#include "run_command.hpp"

namespace pliant {

/// `pliant list`: the scenes of the gallery and the words that scene files may use.
int list_command();

/// `pliant list --combinations`: the table of what does not go together.
int list_combinations_command();

/// `pliant check`: all that is wrong with a scene, or what is in it.
int check_command(const SceneChoice& scene);

/// `pliant --version`: the version and what it was built for.
std::string version_text();

}  // namespace pliant
