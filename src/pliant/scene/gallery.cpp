#include "pliant/scene/gallery.hpp"

#include <algorithm>
#include <map>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/scene/names.hpp"

namespace pliant {

namespace fs = std::filesystem;

Gallery::Gallery(std::vector<fs::path> folders) {
  std::map<std::string, fs::path> found;
  for (const fs::path& folder : folders) {
    std::error_code unreadable;
    for (fs::recursive_directory_iterator it(folder, unreadable), end; !unreadable && it != end;
         it.increment(unreadable)) {
      if (it->path().extension() != ".toml") continue;
      found.emplace(it->path().lexically_relative(folder).replace_extension().generic_string(), it->path());
    }
  }
  for (const auto& [name, path] : found) scenes_.push_back({name, path});
}

fs::path Gallery::find(const std::string& path_or_name) const {
  std::error_code unreadable;
  if (fs::is_regular_file(path_or_name, unreadable)) return path_or_name;
  std::vector<std::string_view> names;
  for (const Entry& entry : scenes_) {
    if (entry.name == path_or_name) return entry.path;
    names.push_back(entry.name);
  }
  const std::string_view nearest = nearest_name(path_or_name, names);
  throw InputError(
      format("there is no scene '{}', neither a file nor a scene of the gallery{}; `pliant list` names them",
             path_or_name, nearest.empty() ? "" : format("; did you mean '{}'?", nearest)));
}

}  // namespace pliant
