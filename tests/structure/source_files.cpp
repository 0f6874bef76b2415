#include "source_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <regex>

namespace pliant::structure {

namespace fs = std::filesystem;

namespace {

bool is_text(const fs::path& path) {
  constexpr std::array kExtensions{".cpp", ".hpp", ".txt", ".cmake", ".py", ".ts", ".sh"};
  return std::find(kExtensions.begin(), kExtensions.end(), path.extension()) != kExtensions.end();
}

SourceFile read_source(const fs::path& root, const fs::path& path) {
  SourceFile file{fs::relative(path, root).generic_string(), {}};
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) file.lines.push_back(line);
  return file;
}

}  // namespace

std::vector<SourceFile> read_sources(const std::vector<std::string>& folders) {
  const fs::path root(PLIANT_SOURCE_DIR);
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.is_regular_file() && is_text(entry.path())) files.push_back(read_source(root, entry.path()));
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

std::vector<Include> includes_of(const SourceFile& file) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)re");
  std::vector<Include> includes;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    std::smatch match;
    if (std::regex_match(file.lines[i], match, kInclude))
      includes.push_back({match[2], match[1] == "\"", static_cast<int>(i) + 1});
  }
  return includes;
}

std::string at(const SourceFile& file, int line) { return file.path + ":" + std::to_string(line) + ": "; }

}  // namespace pliant::structure
