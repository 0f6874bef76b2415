#pragma once

#include <filesystem>
#include <optional>
#include <string>

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

/// The frame that a file or folder without its extension is named for, where it is, in the way that runs
/// write it.
std::optional<int> frame_number(const std::string& name);

/// Names of files in a run folder.
std::filesystem::path frame_path(const std::filesystem::path& folder, int frame);
std::filesystem::path checkpoint_path(const std::filesystem::path& folder);
std::filesystem::path summary_path(const std::filesystem::path& folder);
std::filesystem::path body_path(const std::filesystem::path& folder, const std::string& body,
                                const char* extension);
/// Of a body that has torn since the frame before; its file says at each vertex which one it was in frame 0.
inline constexpr const char* kOriginField = "origin";
std::filesystem::path torn_body_path(const std::filesystem::path& folder, int frame, const std::string& body);
std::filesystem::path obstacle_path(const std::filesystem::path& folder, const std::string& obstacle);
std::filesystem::path poses_path(const std::filesystem::path& folder);

}  // namespace pliant
