#include "pliant/run/output_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/log.hpp"
#include "pliant/base/text.hpp"
#include "pliant/run/summary.hpp"

namespace pliant {

namespace fs = std::filesystem;

namespace {

std::string frame_name(int frame) { return format("{:06}", frame); }

std::string without_tmp(const std::string& file) {
  return file.ends_with(".tmp") ? file.substr(0, file.size() - 4) : file;
}

/// Whether the bodies of a frame in which something has torn are there.
bool is_torn_folder(const fs::path& relative) {
  return relative.parent_path() == "bodies" && frame_number(relative.filename().string());
}

/// Whether a run writes a file of this name, or a temporary one that becomes it, at this place.
bool is_run_file(const fs::path& relative) {
  const std::string folder = relative.parent_path().string();
  const std::string file = without_tmp(relative.filename().string());
  if (folder.empty()) {
    constexpr std::array kFiles = {"scene.toml", "model.toml",    "summary.json",
                                   "steps.csv",  "obstacles.csv", "checkpoint.bin"};
    return std::find(kFiles.begin(), kFiles.end(), file) != kFiles.end();
  }
  if (folder == "frames") return file.ends_with(".npy") && frame_number(file.substr(0, file.size() - 4));
  if (is_torn_folder(folder)) return file.ends_with(".vtu");
  if (folder == "obstacles") return file.ends_with(".obj");
  return folder == "bodies" && (file.ends_with(".vtu") || file.ends_with(".obj"));
}

bool is_run_folder(const fs::path& relative) {
  return relative == "frames" || relative == "bodies" || relative == "obstacles" || is_torn_folder(relative);
}

/// What lies in the folder, links not followed: files a run writes, and everything else.
struct Contents {
  std::vector<fs::path> ours, folders, foreign;
};

Contents list_contents(const fs::path& folder) {
  Contents contents;
  for (fs::recursive_directory_iterator entry(folder), end; entry != end; ++entry) {
    const fs::path relative = entry->path().lexically_relative(folder);
    const fs::file_type type = entry->symlink_status().type();
    if (type == fs::file_type::directory && is_run_folder(relative)) {
      contents.folders.push_back(entry->path());
      continue;
    }
    entry.disable_recursion_pending();
    const bool ours = type == fs::file_type::regular && is_run_file(relative);
    (ours ? contents.ours : contents.foreign).push_back(entry->path());
  }
  return contents;
}

[[noreturn]] void refuse_to_empty(const fs::path& folder, const std::string& why) {
  throw InputError(Complaint{folder.string(), 0, 0, "will not be emptied: " + why});
}

/// Removes a run. The summary goes last: it marks the folder as a run's, so that a removal cut short can be
/// repeated.
void remove_run(const fs::path& folder) {
  const Contents contents = list_contents(folder);
  if (!contents.foreign.empty())
    refuse_to_empty(
        folder,
        format("it holds \"{}\"{}, which no run has written. Move that away or choose "
               "another folder",
               contents.foreign.front().lexically_relative(folder).string(),
               contents.foreign.size() > 1 ? format(" and {} more", contents.foreign.size() - 1) : ""));
  const fs::path summary = summary_path(folder);
  const bool just_begun = contents.ours.size() == 1 && contents.ours.front() == summary.string() + ".tmp";
  if (!just_begun && !is_summary(summary))
    refuse_to_empty(folder, "it has no summary.json that a run has written. Choose another folder");
  for (const fs::path& file : contents.ours)
    if (file != summary) fs::remove(file);
  // Those within others come after them.
  for (auto inner = contents.folders.rbegin(); inner != contents.folders.rend(); ++inner) fs::remove(*inner);
  fs::remove(summary);
}

}  // namespace

std::optional<int> frame_number(const std::string& name) {
  constexpr size_t kLeast = 6, kMost = 9;
  const bool digits = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || name.size() < kLeast || name.size() > kMost) return {};
  const int frame = std::stoi(name);
  // What is looked for is named in one way only, so that nothing else of the same number is taken for it.
  if (name != frame_name(frame)) return {};
  return frame;
}

OutputFolder::OutputFolder(const fs::path& folder, bool resume, bool overwrite) : path_(folder) {
  if (folder.empty()) throw InputError("no output folder was given");
  if (resume && overwrite) throw InputError("a run can either be resumed or overwritten, not both");
  std::error_code ignored;
  if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
    throw InputError(Complaint{folder.string(), 0, 0, "is a file; a run needs a folder to write to"});
  create_folders(folder);
  lock();
  try {
    decide(resume, overwrite);
  } catch (const fs::filesystem_error& error) {
    ::close(handle_);
    throw IoError(error.what());
  } catch (...) {
    ::close(handle_);
    throw;
  }
}

OutputFolder::~OutputFolder() { ::close(handle_); }

/// The lock belongs to the open folder, so it goes with the process, however that ends. File systems that
/// know no locks are taken as they are. Who looks at the folder locks it too, for a moment, to see whether
/// somebody writes to it: so it is tried for half a second.
void OutputFolder::lock() {
  constexpr int kTries = 26;
  constexpr std::chrono::milliseconds kPause(20);
  handle_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle_ < 0) throw IoError("cannot open folder " + path_.string());
  for (int tried = 0; tried < kTries; ++tried) {
    if (tried > 0) std::this_thread::sleep_for(kPause);
    if (::flock(handle_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  }
  ::close(handle_);
  throw InputError(Complaint{path_.string(), 0, 0, "another run is writing to this folder"});
}

void OutputFolder::decide(bool resume, bool overwrite) {
  if (fs::is_empty(path_)) {
    if (resume)
      log::info(format("there is nothing to resume in {}; starting from the beginning", path_.string()));
    return;
  }
  if (!resume && !overwrite)
    throw InputError(
        Complaint{path_.string(), 0, 0,
                  "the output folder is not empty; --resume goes on with the run in it, --overwrite "
                  "replaces it"});
  holds_run_ = resume && fs::exists(checkpoint_path(path_));
  if (!holds_run_) remove_run(path_);
}

fs::path frame_path(const fs::path& folder, int frame) {
  return folder / "frames" / (frame_name(frame) + ".npy");
}
fs::path checkpoint_path(const fs::path& folder) { return folder / "checkpoint.bin"; }
fs::path summary_path(const fs::path& folder) { return folder / "summary.json"; }
fs::path body_path(const fs::path& folder, const std::string& body, const char* extension) {
  return folder / "bodies" / (body + extension);
}
fs::path torn_body_path(const fs::path& folder, int frame, const std::string& body) {
  return folder / "bodies" / frame_name(frame) / (body + ".vtu");
}
fs::path obstacle_path(const fs::path& folder, const std::string& obstacle) {
  return folder / "obstacles" / (obstacle + ".obj");
}
fs::path poses_path(const fs::path& folder) { return folder / "obstacles.csv"; }

}  // namespace pliant
