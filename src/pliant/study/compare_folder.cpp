#include "pliant/study/compare_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/json.hpp"
#include "pliant/base/text.hpp"
#include "pliant/base/version.hpp"
#include "pliant/run/checkpoint.hpp"
#include "pliant/run/output_folder.hpp"
#include "pliant/view/run_files.hpp"

namespace pliant {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPlanFile = "comparison.json";
constexpr const char* kWhat = "pliant comparison";

Json members_json(const ComparePlan& plan, const std::vector<int>& at_once,
                  const std::vector<std::vector<int>>& threads) {
  Json list = Json::array();
  for (size_t i = 0; i < plan.members.size(); ++i) {
    const PlannedMember& member = plan.members[i];
    list.push_back({{"name", member.name},
                    {"overrides", member.overrides},
                    {"frames", member.frames},
                    {"scene", format("{:016x}", checkpoint_sum(member.scene_text))},
                    {"at_once", at_once[i]},
                    {"threads", threads[i]}});
  }
  return list;
}

/// What a comparison that lies in a folder says of itself. Throws InputError.
Json read_plan(const fs::path& folder) {
  const fs::path file = folder / kPlanFile;
  const char* const kRemedy = "the folder is not empty and holds no comparison; choose another";
  if (!fs::exists(file)) throw InputError(Complaint{folder.string(), 0, 0, kRemedy});
  try {
    Json json = parse_json(read_file(file));
    if (json.at("what") != kWhat) throw InputError(Complaint{file.string(), 0, 0, kRemedy});
    for (const Json& member : json.at("members")) {
      const std::string name = member.at("name").get<std::string>();
      if (!is_plain_name(name))
        throw InputError(Complaint{file.string(), 0, 0, "names a member that is not one of ours"});
    }
    return json;
  } catch (const Json::exception& error) {
    throw InputError(Complaint{file.string(), 0, 0, std::string("is damaged: ") + error.what()});
  }
}

/// How the comparison in the folder differs from the one asked for; empty where it is the same.
std::string difference(const Json& there, const Json& wanted) {
  if (there.at("build") != wanted.at("build"))
    return "was made by another build of the program, whose times and numbers may differ";
  const Json &old_members = there.at("members"), &new_members = wanted.at("members");
  const auto differ = [&](const char* key) {
    return !std::equal(old_members.begin(), old_members.end(), new_members.begin(), new_members.end(),
                       [&](const Json& a, const Json& b) { return a.at(key) == b.at(key); });
  };
  if (differ("name")) return "holds a comparison of other values";
  if (differ("scene")) return "holds a comparison of another scene, or the scene has changed since";
  if (differ("frames")) return "holds a comparison of another number of frames";
  return "";
}

/// -1 where another process has it.
int open_and_lock(const fs::path& folder) {
  const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) throw IoError("cannot open folder " + folder.string());
  // File systems that know no locks are taken as they are.
  if (::flock(handle, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return handle;
  ::close(handle);
  return -1;
}

}  // namespace

CompareFolder::CompareFolder(fs::path folder, const ComparePlan& plan, bool overwrite)
    : path_(std::move(folder)), plan_(plan), at_once_(plan.members.size(), 0), threads_(plan.members.size()) {
  if (path_.empty()) throw InputError("no output folder was given");
  std::error_code ignored;
  if (fs::exists(path_, ignored) && !fs::is_directory(path_, ignored))
    throw InputError(Complaint{path_.string(), 0, 0, "is a file; a comparison needs a folder to write to"});
  create_folders(path_);
  handle_ = open_and_lock(path_);
  if (handle_ < 0)
    throw InputError(Complaint{path_.string(), 0, 0, "another comparison is writing to this folder"});
  try {
    decide(overwrite);
    create_folders(members());
    create_folders(path_ / "logs");
    write_file_atomically(path_ / kPlanFile, plan_text());
  } catch (const fs::filesystem_error& error) {
    ::close(handle_);
    throw IoError(error.what());
  } catch (...) {
    ::close(handle_);
    throw;
  }
}

CompareFolder::~CompareFolder() { ::close(handle_); }

std::string CompareFolder::plan_text() const {
  const Json json = {
      {"what", kWhat}, {"build", build_id()}, {"members", members_json(plan_, at_once_, threads_)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void CompareFolder::decide(bool overwrite) {
  if (fs::is_empty(path_)) return;
  const Json there = read_plan(path_);
  const Json wanted = Json::parse(plan_text());
  try {
    const std::string why = difference(there, wanted);
    if (why.empty() && !overwrite) {
      for (size_t i = 0; i < at_once_.size(); ++i) {
        const Json& member = there.at("members")[i];
        at_once_[i] = member.value("at_once", 0);
        threads_[i] = member.value("threads", std::vector<int>());
      }
      return;
    }
    if (!overwrite)
      throw InputError(
          Complaint{path_.string(), 0, 0, why + "; --overwrite replaces it, or choose another folder"});
  } catch (const Json::exception& error) {
    throw InputError(
        Complaint{path_.string(), 0, 0, std::string("comparison.json is damaged: ") + error.what()});
  }
  remove_comparison();
}

/// The plan goes last: it marks the folder as a comparison's, so that a removal cut short can be repeated.
void CompareFolder::remove_comparison() const {
  const Json there = read_plan(path_);
  for (const Json& member : there.at("members")) {
    const std::string name = member.at("name").get<std::string>();
    const fs::path run = members() / name;
    if (fs::exists(run)) {
      { const OutputFolder emptied(run, false, true); }
      fs::remove(run);
    }
    fs::remove(log(name));
  }
  fs::remove(table());
  fs::remove(report());
  fs::remove(path_ / kPlanFile);
}

void CompareFolder::set_at_once(size_t member, int count) {
  at_once_[member] = count;
  write_file_atomically(path_ / kPlanFile, plan_text());
}

void CompareFolder::note_start(size_t member, int threads, bool resumes) {
  std::vector<int>& parts = threads_[member];
  if (!resumes) parts.clear();
  if (parts.empty() || parts.back() != threads) parts.push_back(threads);
  write_file_atomically(path_ / kPlanFile, plan_text());
}

}  // namespace pliant
