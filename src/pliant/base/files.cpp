#include "pliant/base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "pliant/base/error.hpp"

namespace pliant {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& doing, const fs::path& path) {
  throw IoError(doing + " " + path.string() + ": " + std::strerror(errno));
}

void write_all(int handle, std::string_view contents, const fs::path& path) {
  while (!contents.empty()) {
    const ssize_t count = ::write(handle, contents.data(), contents.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot write", path);
    contents.remove_prefix(static_cast<size_t>(count));
  }
}

}  // namespace

void sync_folder(const fs::path& folder) {
  const int handle = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (handle < 0) fail("cannot open folder", folder);
  const int status = ::fsync(handle);
  ::close(handle);
  if (status != 0) fail("cannot sync folder", folder);
}

void write_file_atomically(const fs::path& path, std::string_view contents, bool durable) {
  const fs::path temporary = path.string() + ".tmp";
  const int handle = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (handle < 0) fail("cannot create", temporary);
  bool open = true;
  try {
    write_all(handle, contents, path);
    if (durable && ::fsync(handle) != 0) fail("cannot sync", path);
    open = false;
    if (::close(handle) != 0) fail("cannot close", path);
    if (::rename(temporary.c_str(), path.c_str()) != 0) fail("cannot rename to", path);
  } catch (...) {
    if (open) ::close(handle);
    ::unlink(temporary.c_str());
    throw;
  }
  if (durable) sync_folder(path.parent_path());
}

void create_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError("cannot create folder " + folder.string() + ": " + error.message());
}

AppendedFile::AppendedFile(const fs::path& path, std::uint64_t length) : path_(path), length_(length) {
  handle_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (handle_ < 0) fail("cannot open", path_);
  try {
    struct stat info;
    if (::fstat(handle_, &info) != 0) fail("cannot look at", path_);
    const auto size = static_cast<std::uint64_t>(info.st_size);
    if (size < length)
      throw InputError(Complaint{path.string(), 0, 0,
                                 "holds " + std::to_string(size) + " bytes where at least " +
                                     std::to_string(length) + " were written; the file is damaged"});
    if (::ftruncate(handle_, static_cast<off_t>(length)) != 0) fail("cannot shorten", path_);
  } catch (...) {
    ::close(handle_);
    throw;
  }
}

AppendedFile::~AppendedFile() { ::close(handle_); }

void AppendedFile::append(std::string_view rows) {
  try {
    write_all(handle_, rows, path_);
  } catch (const IoError&) {
    // Should this fail too there is nothing left to try; the first failure is the one to report.
    [[maybe_unused]] const int status = ::ftruncate(handle_, static_cast<off_t>(length_));
    throw;
  }
  length_ += rows.size();
}

void AppendedFile::sync() {
  if (::fsync(handle_) != 0) fail("cannot sync", path_);
}

std::string read_file(const fs::path& path) {
  const int handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0)
    throw InputError(Complaint{path.string(), 0, 0, std::string("cannot open: ") + std::strerror(errno)});
  std::string contents;
  char buffer[1 << 16];
  while (true) {
    const ssize_t count = ::read(handle, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const std::string why = std::strerror(errno);
      ::close(handle);
      throw InputError(Complaint{path.string(), 0, 0, "cannot read: " + why});
    }
    if (count == 0) break;
    contents.append(buffer, static_cast<size_t>(count));
  }
  ::close(handle);
  return contents;
}

}  // namespace pliant
