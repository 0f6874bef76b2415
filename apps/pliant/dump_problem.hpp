#pragma once

#include <filesystem>

#include "run_command.hpp"

namespace pliant {

struct DumpProblemOptions {
  SceneChoice scene;
  int step = 1;  ///< counted from 1; the steps before it are simulated
  std::filesystem::path folder;
};

/// `pliant dump-problem`: writes the minimisation problem of one step as Matrix Market files, for those who
/// study solvers.
int dump_problem_command(const DumpProblemOptions& options);

}  // namespace pliant
