#pragma once

#include <filesystem>

namespace pliant {

/// The folder a run writes to, made ready: created or emptied as asked, and locked against a second run for
/// as long as this lives.
///
/// A folder that is not empty is refused (InputError) unless `resume` or `overwrite` is set. `overwrite`
/// removes what a run writes, and only from a folder in which nothing else lies; so does `resume` where the
/// run was killed before its first checkpoint.
class OutputFolder {
 public:
  OutputFolder(const std::filesystem::path& folder, bool resume, bool overwrite);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Whether there is a run to go on with; otherwise the folder is empty.
  bool holds_run() const { return holds_run_; }

 private:
  void lock();
  void decide(bool resume, bool overwrite);

  std::filesystem::path path_;
  int handle_ = -1;
  bool holds_run_ = false;
};

/// Names of files in a run folder.
std::filesystem::path frame_path(const std::filesystem::path& folder, int frame);
std::filesystem::path checkpoint_path(const std::filesystem::path& folder);
std::filesystem::path summary_path(const std::filesystem::path& folder);
std::filesystem::path body_path(const std::filesystem::path& folder, const std::string& body,
                                const char* extension);
std::filesystem::path obstacle_path(const std::filesystem::path& folder, const std::string& obstacle);
std::filesystem::path poses_path(const std::filesystem::path& folder);

}  // namespace pliant
