#pragma once

#include <filesystem>
#include <string>

namespace pliant {

/// The files of a run folder and no others: a path that leads out of the folder, by dots or by links, is
/// refused (InputError). A run folder may come from anybody.
class RunFiles {
 public:
  /// Throws InputError where there is no such folder.
  explicit RunFiles(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }

  /// The path as it may be opened; `relative` is below the folder. Throws InputError where it leads out of it
  /// or there is nothing.
  std::filesystem::path inside(const std::filesystem::path& relative) const;

  bool has(const std::filesystem::path& relative) const;

  /// Throws InputError where some file that a reader of run folders will open leads out of the folder.
  void require_all_inside() const;

 private:
  std::filesystem::path folder_;  ///< as given
  std::filesystem::path real_;    ///< without links
};

}  // namespace pliant
