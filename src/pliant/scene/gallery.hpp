#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pliant {

/// Scenes by name: `gast-2015/stretch` is gast-2015/stretch.toml in one of the folders.
class Gallery {
 public:
  /// Folders that do not exist are left out; where two hold a scene of one name, the first counts.
  explicit Gallery(std::vector<std::filesystem::path> folders);

  struct Entry {
    std::string name;
    std::filesystem::path path;
  };
  /// In alphabetical order.
  const std::vector<Entry>& scenes() const { return scenes_; }

  /// The file of a scene given by path or by name. Throws InputError that names the nearest scene.
  std::filesystem::path find(const std::string& path_or_name) const;

 private:
  std::vector<Entry> scenes_;
};

}  // namespace pliant
