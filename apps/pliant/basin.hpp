#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "run_command.hpp"

namespace pliant {

/// What `pliant basin` was asked for.
struct BasinOptions {
  SceneChoice scene;
  std::filesystem::path output;
  std::string across, up;          ///< KEY=FROM:TO
  std::vector<std::string> steps;  ///< s, each a number or a fraction such as 1/24
  std::vector<std::string> methods = {"newton-plain", "newton-cg"};
  int pixels = 64;
  int threads = 0;
};

/// Draws how many iterations the first step of a scene needs while two of its keys vary, for some steps and
/// solvers: OUTPUT/basin.png (a row a solver, a column a step), OUTPUT/starts.png (what some of the scenes
/// look like) and OUTPUT/basin.json. Returns the exit code; throws InputError and IoError.
int basin_command(const BasinOptions& options);

}  // namespace pliant
