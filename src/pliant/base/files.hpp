#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace pliant {

/// Writes the whole file or nothing: to a temporary name beside `path`, then renamed over it. With `durable`,
/// the file and its folder are synced to the disk before returning. Every failure removes the temporary file
/// and throws IoError.
void write_file_atomically(const std::filesystem::path& path, std::string_view contents,
                           bool durable = false);

/// Creates the folder and those above it where they are missing. Throws IoError.
void create_folders(const std::filesystem::path& folder);

/// Returns when the names in the folder are on the disk. Throws IoError.
void sync_folder(const std::filesystem::path& folder);

/// A text file that only grows, row by row. A row that cannot be written whole is taken back before IoError
/// is thrown, so that the file never ends in half a row. Every append is handed to the operating system at
/// once: killing the program loses nothing of it.
class AppendedFile {
 public:
  /// Keeps the first `length` bytes of what is there and creates the file where there is none. Throws
  /// InputError where the file is shorter than that.
  AppendedFile(const std::filesystem::path& path, std::uint64_t length);
  ~AppendedFile();
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;

  void append(std::string_view rows);

  /// Returns when everything appended is on the disk.
  void sync();

  std::uint64_t length() const { return length_; }

 private:
  std::filesystem::path path_;
  int handle_ = -1;
  std::uint64_t length_ = 0;
};

/// The whole file. Throws InputError if it cannot be opened or read.
std::string read_file(const std::filesystem::path& path);

}  // namespace pliant
