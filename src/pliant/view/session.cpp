#include "pliant/view/session.hpp"

#include <algorithm>
#include <charconv>
#include <new>

#include "pliant/base/error.hpp"
#include "pliant/base/json.hpp"
#include "pliant/base/text.hpp"
#include "pliant/base/version.hpp"
#include "pliant/run/output_folder.hpp"

namespace pliant {

namespace {

constexpr int kNotFound = 404, kNotAllowed = 409, kDamaged = 422, kBroken = 500, kLater = 503;
constexpr const char* kContainerType = "application/octet-stream";

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::vector<std::string_view> split_path(std::string_view path) {
  std::vector<std::string_view> words;
  for (size_t begin = 1; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    words.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

/// Digits and nothing else; -1 for other words.
int whole_number(std::string_view word) {
  int number = -1;
  if (word.empty() || !std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; })) return -1;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), number);
  return failed == std::errc() && end == word.data() + word.size() ? number : -1;
}

Reply not_found() { return Reply::complaint(kNotFound, "there is nothing of this name here"); }

}  // namespace

Reply Reply::complaint(int status, const std::string& message) {
  return {status, "application/json", text_of({{"message", message}})};
}

std::optional<std::string> LabSession::add(const std::filesystem::path& folder, LiveRun* live) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    throw InputError(Complaint{folder.string(), 0, 0, "there is no such run folder"});
  if (!std::filesystem::exists(summary_path(folder), error))
    throw InputError(Complaint{folder.string(), 0, 0,
                               "this is not a run folder: it has no summary.json; give one that `pliant run` "
                               "has written"});
  try {
    runs_.push_back(std::make_unique<WatchedRun>(folder, live));
    return {};
  } catch (const InputError& failure) {
    failures_.push_back({folder.string(), failure.what()});
  } catch (const std::bad_alloc&) {
    failures_.push_back({folder.string(), "the memory of this machine is not enough for this run"});
  } catch (const std::exception& failure) {
    failures_.push_back({folder.string(), failure.what()});
  }
  return failures_.back().message;
}

Reply LabSession::get(std::string_view path, const std::string& from) const {
  try {
    return answer(path, from);
  } catch (const NotReady& error) {
    return Reply::complaint(kLater, error.what());
  } catch (const InputError& error) {
    return Reply::complaint(kDamaged, error.what());
  } catch (const std::bad_alloc&) {
    return Reply::complaint(kBroken, "the memory of this machine is not enough for this");
  } catch (const std::exception& error) {
    return Reply::complaint(kBroken, error.what());
  }
}

Reply LabSession::answer(std::string_view path, const std::string& from) const {
  if (path == "/api/session") return {200, "application/json", session()};
  if (path == "/api/status") return {200, "application/json", status()};
  const std::vector<std::string_view> words = split_path(path);
  if (words.size() < 4 || words[0] != "api" || words[1] != "runs") return not_found();
  const int id = whole_number(words[2]);
  if (id < 0 || id >= std::ssize(runs_))
    return Reply::complaint(kNotFound, format("there is no such run; there are {}", runs_.size()));
  return answer_of_run(id, words, from);
}

Reply LabSession::answer_of_run(int id, const std::vector<std::string_view>& words,
                                const std::string& from) const {
  const WatchedRun& watched = *runs_[static_cast<size_t>(id)];
  const std::shared_ptr<const ShownRun> opened = watched.run();
  const ShownRun& run = *opened;
  const std::string_view what = words[3];
  if (what == "head" && words.size() == 4) return {200, "application/json", watched.head(id)};
  const bool is_mesh = what == "mesh" && words.size() <= 5;
  if (is_mesh && words.size() == 4) return {200, kContainerType, run.mesh()};
  if (what == "steps" && words.size() == 4) {
    const int first = from.empty() ? 0 : whole_number(from);
    if (first < 0) return Reply::complaint(kNotFound, "from must be the number of a row");
    return {200, kContainerType, run.steps().from(static_cast<size_t>(first))};
  }
  const bool is_frame = what == "frames" && words.size() == 5;
  const bool is_field = what == "fields" && words.size() == 6;
  if (!is_frame && !is_field && !is_mesh) return not_found();
  const int frame = whole_number(words.back()), frames = run.frames();
  if (frame < 0 || frame >= frames)
    return Reply::complaint(kNotFound, format("there is no such frame; there are {}", frames));
  if (is_mesh) return {200, kContainerType, run.mesh(frame)};
  if (is_frame) return {200, kContainerType, run.frame(frame)};
  const auto known = std::ranges::find(field_kinds(), words[4], &FieldKind::name);
  if (known == field_kinds().end()) return Reply::complaint(kNotFound, "there is no such field");
  return {200, kContainerType, run.field(std::string(known->name), frame)};
}

std::string LabSession::session() const {
  bool live = false;
  std::string heads;
  Json summaries = Json::array(), errors = Json::array();
  for (const Failure& failure : failures_)
    errors.push_back({{"folder", failure.folder}, {"message", failure.message}});
  for (size_t i = 0; i < runs_.size(); ++i) {
    try {
      // Before the head is read: of one that is replaced meanwhile the page then hears with the next status.
      const std::string summary = runs_[i]->summary();
      const std::string head = runs_[i]->head(static_cast<int>(i));
      const bool grows = runs_[i]->live() || runs_[i]->state() == "writing";
      heads += (heads.empty() ? "" : ",") + head;
      summaries.push_back(summary);
      live = live || grows;
    } catch (const std::exception& error) {  // the others can be shown without it
      errors.push_back({{"folder", runs_[i]->folder().string()}, {"message", error.what()}});
    }
  }
  return format(R"({{"version":{},"key":{},"live":{},"runs":[{}],"summaries":{},"errors":{}}})",
                text_of(version()), text_of(key_), live, heads, text_of(summaries), text_of(errors));
}

std::string LabSession::status() const {
  Json list = Json::array();
  for (size_t i = 0; i < runs_.size(); ++i) {
    const WatchedRun::Status status = runs_[i]->status();
    list.push_back({{"id", i},
                    {"generation", status.generation},
                    {"summary", status.summary},
                    {"frames", status.frames},
                    {"steps", status.steps},
                    {"state", status.state},
                    {"message", status.message}});
  }
  return text_of({{"runs", list}});
}

Reply LabSession::command(const std::string& body) const {
  try {
    const Json request = parse_json(body);
    const int id = request.at("run").get<int>();
    const std::string what = request.at("command").get<std::string>();
    if (id < 0 || id >= std::ssize(runs_)) return Reply::complaint(kNotFound, "there is no such run");
    LiveRun* live = runs_[static_cast<size_t>(id)]->live();
    if (!live)
      return Reply::complaint(kNotAllowed, "this run is not computed by this program, which only shows it");
    live->command(what);
    return {200, "application/json", "{}"};
  } catch (const Json::exception&) {
    return Reply::complaint(400, R"(a command is {"run": 0, "command": "pause"}, or continue, or stop)");
  } catch (const InputError& error) {
    return Reply::complaint(kNotAllowed, error.what());
  }
}

}  // namespace pliant
