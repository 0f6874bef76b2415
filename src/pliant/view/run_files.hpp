#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace pliant {

/// What is read of a run folder at most, bytes: far more than a run writes, and far less than a folder of
/// somebody else might make a server read.
inline constexpr std::uint64_t kMostTextBytes = std::uint64_t{64} << 20;  ///< of summary.json and scene.toml
inline constexpr std::uint64_t kMostTableBytes = std::uint64_t{1} << 30;  ///< of steps.csv and obstacles.csv
inline constexpr std::uint64_t kMostMeshBytes = std::uint64_t{2} << 30;   ///< of all meshes of a frame

/// A regular file, opened once: what was checked is what is read, whatever is put in its place meanwhile.
class PlainFile {
 public:
  /// Follows a link in the last part of the path only where `links` says so. Throws InputError where there is
  /// no such file, and for folders, pipes and devices.
  explicit PlainFile(const std::filesystem::path& path, bool links = false);
  ~PlainFile();
  PlainFile(PlainFile&& other) noexcept;
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  std::uint64_t size() const { return size_; }  ///< when it was opened
  /// Where it lies, without links.
  std::filesystem::path real_path() const;

  /// Throws InputError where the file is larger than that.
  void require_at_most(std::uint64_t bytes) const;
  /// As many bytes as there are from there on, up to `bytes`. Throws InputError.
  std::string read(std::uint64_t from, std::uint64_t bytes) const;

 private:
  std::filesystem::path path_;
  int handle_ = -1;
  std::uint64_t size_ = 0;
};

/// The files of a run folder and no others: a path that leads out of the folder, by dots or by links, is
/// refused (InputError). A run folder may come from anybody.
class RunFiles {
 public:
  /// Throws InputError where there is no such folder.
  explicit RunFiles(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }

  /// `relative` is below the folder. Throws InputError where it leads out of it or there is no such file.
  PlainFile open(const std::filesystem::path& relative) const;

  /// The whole of it; throws InputError also where it is larger than `most` bytes.
  std::string read(const std::filesystem::path& relative, std::uint64_t most) const;

  /// Another text when another file was put in its place; empty where there is none.
  std::string stamp(const std::filesystem::path& relative) const;

  /// Throws InputError where some file that a reader of run folders will open leads out of the folder, or is
  /// larger than a run writes.
  void require_all_readable() const;

  /// The same of the bodies that have torn up to a frame, of which a run that goes on writes more.
  void require_torn_readable(int frame) const;

 private:
  std::filesystem::path folder_;  ///< as given
  std::filesystem::path real_;    ///< without links
};

/// Whether a name can be that of a file in a folder, and nothing else; without control characters.
bool is_plain_name(std::string_view name);

/// Whether a process writes to the run folder.
bool is_being_written(const std::filesystem::path& run);

}  // namespace pliant
