#include "scene_folders.hpp"

#include <cstdlib>

namespace pliant {

namespace fs = std::filesystem;

Gallery scene_gallery() {
  std::vector<fs::path> folders;
  if (const char* chosen = std::getenv("PLIANT_SCENES")) folders.emplace_back(chosen);
  folders.emplace_back(PLIANT_SCENES_DIR);
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  if (!unknown) folders.push_back(program.parent_path() / "../share/pliant/scenes");
  return Gallery(folders);
}

}  // namespace pliant
