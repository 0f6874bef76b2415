#include "pliant/view/run_files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/run/output_folder.hpp"
#include "pliant/run/summary.hpp"

namespace pliant {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void complain(const fs::path& path, const std::string& message) {
  throw InputError(Complaint{path.string(), 0, 0, message});
}

[[noreturn]] void complain_of_size(const fs::path& path, std::uint64_t most) {
  complain(path, format("is larger than the {} MB that a run writes at most, and is not read", most >> 20U));
}

/// Folders with the bodies that have torn, by frame.
std::map<int, fs::path> torn_folders(const fs::path& run, int last) {
  std::map<int, fs::path> folders;
  for (const auto& entry : fs::directory_iterator(run / "bodies")) {
    const std::optional<int> frame = frame_number(entry.path().filename().string());
    if (frame && *frame <= last && entry.is_directory()) folders[*frame] = entry.path();
  }
  return folders;
}

/// Names become file names; those that a run writes have no folder in them.
void require_plain_name(const fs::path& summary, const std::string& name) {
  if (!is_plain_name(name))
    complain(summary, "names a body or an obstacle that could not be the name of a file");
}

}  // namespace

bool is_plain_name(std::string_view name) {
  const auto is_plain = [](char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != '\x7f' && c != '/';
  };
  return !name.empty() && !name.starts_with('.') && std::ranges::all_of(name, is_plain);
}

/// A pipe would be waited for if the open were not told otherwise.
PlainFile::PlainFile(const fs::path& path, bool links)
    : path_(path),
      handle_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | (links ? 0 : O_NOFOLLOW))) {
  const int error = errno;
  if (handle_ < 0 && error == ELOOP) complain(path_, "is a link and is not read; put the file itself there");
  if (handle_ < 0) complain(path_, std::string("cannot open: ") + std::strerror(error));
  struct stat status {};
  if (::fstat(handle_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(handle_);
    complain(path_, "this is not a file");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

PlainFile::~PlainFile() {
  if (handle_ >= 0) ::close(handle_);
}

PlainFile::PlainFile(PlainFile&& other) noexcept
    : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, -1)), size_(other.size_) {}

fs::path PlainFile::real_path() const {
  std::error_code error;
  const fs::path real = fs::read_symlink(format("/proc/self/fd/{}", handle_), error);
  if (error) complain(path_, "this system does not say where the file lies");
  return real;
}

void PlainFile::require_at_most(std::uint64_t bytes) const {
  if (size_ > bytes) complain_of_size(path_, bytes);
}

std::string PlainFile::read(std::uint64_t from, std::uint64_t bytes) const {
  std::string contents(std::min(bytes, size_ - std::min(from, size_)), '\0');
  size_t done = 0;
  while (done < contents.size()) {
    const ssize_t count =
        ::pread(handle_, contents.data() + done, contents.size() - done, static_cast<off_t>(from + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) complain(path_, std::string("cannot read: ") + std::strerror(errno));
    if (count == 0) break;  // cut back since it was opened
    done += static_cast<size_t>(count);
  }
  contents.resize(done);
  return contents;
}

RunFiles::RunFiles(const fs::path& folder) : folder_(folder) {
  std::error_code error;
  if (!fs::is_directory(folder_, error)) complain(folder_, "there is no such run folder");
  real_ = fs::canonical(folder_, error);
  if (error) complain(folder_, "this folder cannot be read");
}

PlainFile RunFiles::open(const fs::path& relative) const {
  PlainFile file(folder_ / relative, true);
  // Of what is open now, so that nobody can put a link there between a check and the open.
  const fs::path real = file.real_path();
  const auto [folder_end, rest] = std::mismatch(real_.begin(), real_.end(), real.begin(), real.end());
  if (folder_end != real_.end())
    complain(folder_ / relative, "leads out of the run folder and is not read; put the file itself there");
  return file;
}

std::string RunFiles::read(const fs::path& relative, std::uint64_t most) const {
  const PlainFile file = open(relative);
  file.require_at_most(most);
  return file.read(0, most);
}

std::string RunFiles::stamp(const fs::path& relative) const {
  struct stat status {};
  if (::stat((folder_ / relative).c_str(), &status) != 0) return "";
  return format("{}-{}.{:09}", status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

void RunFiles::require_all_readable() const {
  const auto open_file = [&](const fs::path& path) { return open(path.lexically_relative(folder_)); };
  const fs::path summary = summary_path(folder_);
  open_file(summary).require_at_most(kMostTextBytes);
  const SummaryHead head = read_summary(summary);
  for (const SummaryHead::Body& body : head.bodies) require_plain_name(summary, body.name);
  std::uint64_t meshes = 0;
  for (const SummaryHead::Obstacle& obstacle : head.obstacles) {
    require_plain_name(summary, obstacle.name);
    const fs::path path = obstacle_path(folder_, obstacle.name);
    meshes += open_file(path).size();
    if (meshes > kMostMeshBytes) complain_of_size(path, kMostMeshBytes);
  }
  require_torn_readable(std::numeric_limits<int>::max());
  if (!head.obstacles.empty()) open_file(poses_path(folder_)).require_at_most(kMostTableBytes);
}

void RunFiles::require_torn_readable(int frame) const {
  std::map<std::string, std::uint64_t> sizes;  // of the mesh of each body, as the frames go on
  std::uint64_t sum = 0;
  const auto require_mesh = [&](const std::string& body, const fs::path& path) {
    std::uint64_t& size = sizes[body];
    sum -= size;
    size = open(path.lexically_relative(folder_)).size();
    sum += size;
    if (sum > kMostMeshBytes) complain_of_size(path, kMostMeshBytes);
  };
  for (const SummaryHead::Body& body : read_summary(summary_path(folder_)).bodies)
    require_mesh(body.name, body_path(folder_, body.name, ".vtu"));
  for (const auto& [torn, path] : torn_folders(folder_, frame))
    for (const auto& entry : fs::directory_iterator(path)) {
      const std::string body = entry.path().stem().string();
      if (entry.path().extension() == ".vtu" && sizes.contains(body)) require_mesh(body, entry.path());
    }
}

/// A run locks its folder for itself alone. That is tried with a lock for many, so that two who look do not
/// take each other for a run.
bool is_being_written(const fs::path& run) {
  const int handle = ::open(run.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return false;
  // File systems that know no locks are taken as they are.
  const bool locked = ::flock(handle, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(handle);
  return locked;
}

}  // namespace pliant
