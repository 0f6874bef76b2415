#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// A scene by path or by name in the gallery, with `key=value` changes to it.
struct SceneChoice {
  std::string scene;
  std::vector<std::string> overrides;
};

struct RunCommandOptions {
  SceneChoice scene;
  std::filesystem::path folder;  ///< empty for out/NAME
  std::optional<int> frames;
  int threads = 0;
  bool resume = false;
  bool overwrite = false;
  bool quiet = false;
  bool view = false;  ///< serve a page that follows the run
  int port = 0;       ///< of that; any that is free
  bool browser = true;
};

/// `pliant run`: simulates a scene and writes its run folder. Returns the exit code.
int run_command(const RunCommandOptions& options);

}  // namespace pliant
