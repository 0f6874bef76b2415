#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "run_command.hpp"

namespace pliant {

/// What `pliant compare` was asked for.
struct CompareCommandOptions {
  SceneChoice scene;
  std::vector<std::string> varied;  ///< KEY=A,B
  std::string reference;            ///< KEY=VALUE,KEY=VALUE
  bool no_reference = false;
  std::filesystem::path output;
  std::optional<int> frames;
  int jobs = 1;
  int threads = 0;
  bool overwrite = false;
  bool quiet = false;
};

/// Runs a scene with every combination of the varied values and puts the results side by side. Returns the
/// exit code; throws InputError and IoError.
int compare_command(const CompareCommandOptions& options);

}  // namespace pliant
