#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pliant {

struct ViewOptions {
  std::vector<std::filesystem::path> runs;
  int port = 0;  ///< any that is free
  bool browser = true;
};

/// `pliant view`: serves the page that shows runs until Ctrl-C. Returns the exit code.
int view_command(const ViewOptions& options);

/// Prints the link of a page, and opens it where there is a screen and a browser, unless told not to.
void show_link(const std::string& link, bool browser);

}  // namespace pliant
