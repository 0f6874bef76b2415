#pragma once

#include <filesystem>

#include "run_command.hpp"

namespace pliant {

struct ConvergeOptions {
  SceneChoice scene;
  std::vector<std::string> solvers;  ///< NAME:KEY=VALUE,KEY=VALUE
  int step = 1;                      ///< counted from 1; the steps before it are simulated
  int count = 1;                     ///< steps from there on, whose errors are averaged
  int iterations = 100;
  int threads = 0;
  bool condition = false;
  std::filesystem::path output;
};

/// `pliant converge`: how solvers get to the minimum of a step, from the same start.
int converge_command(const ConvergeOptions& options);

}  // namespace pliant
