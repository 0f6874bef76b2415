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

/// The link of a page: printed, and opened where there is a screen and a browser, unless told not to. Others
/// on the machine see what a program was started with, but the link is for its owner: the browser is given a
/// file that only the owner may read and that leads there. It is removed when this ends.
class ShownLink {
 public:
  ShownLink(const std::string& link, bool browser);
  ~ShownLink();
  ShownLink(const ShownLink&) = delete;
  ShownLink& operator=(const ShownLink&) = delete;

  bool opened() const { return !file_.empty(); }

 private:
  void remove() const;

  std::string file_;
};

}  // namespace pliant
