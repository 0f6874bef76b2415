#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

#include "pliant/base/files.hpp"

namespace pliant {

/// Every file that has to come out the same however often a run was interrupted: name and contents. The
/// columns of seconds, the last five of steps.csv, are cut off.
inline std::map<std::string, std::string> lasting_files(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (!entry.is_regular_file() || name == "summary.json" || name == "checkpoint.bin") continue;
    std::string contents = read_file(entry.path());
    if (name == "steps.csv") {
      std::string cut;
      for (size_t begin = 0, end; begin < contents.size(); begin = end + 1) {
        end = std::min(contents.find('\n', begin), contents.size());
        std::string line = contents.substr(begin, end - begin);
        for (int i = 0; i < 5; ++i) line.resize(line.rfind(','));
        cut += line + "\n";
      }
      contents = cut;
    }
    files[name] = contents;
  }
  return files;
}

}  // namespace pliant
