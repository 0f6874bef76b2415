#pragma once

#include <string>
#include <vector>

/// Reads the sources of the project as text, and what they include.
namespace pliant::structure {

struct SourceFile {
  std::string path;  ///< from the root of the project, with forward slashes
  std::vector<std::string> lines;
};

struct Include {
  std::string name;  ///< pliant/base/types.hpp or vector
  bool quoted;       ///< "name" instead of <name>
  int line;          ///< counted from 1
};

/// Every text file under the given folders of the project, in the order of their paths; folders that are not
/// there are passed over.
std::vector<SourceFile> read_sources(const std::vector<std::string>& folders);

std::vector<Include> includes_of(const SourceFile& file);

/// The compiler's way to name a place.
std::string at(const SourceFile& file, int line);

}  // namespace pliant::structure
