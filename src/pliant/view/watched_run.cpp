#include "pliant/view/watched_run.hpp"

#include "pliant/base/json.hpp"

namespace pliant {

namespace {

bool says_running(const std::string& summary) {
  const Json json = parse_json(summary);
  return json.is_object() && json.contains("status") && json["status"] == "running";
}

}  // namespace

WatchedRun::WatchedRun(std::filesystem::path folder, LiveRun* live)
    : folder_(std::move(folder)),
      live_(live),
      files_(folder_),
      opened_{std::make_shared<ShownRun>(folder_), 0} {}

WatchedRun::Opened WatchedRun::opened() const {
  const std::lock_guard lock(busy_);
  return opened_;
}

std::string WatchedRun::head(int id) const {
  const Opened now = opened();
  return now.run->head(id, now.generation);
}

/// A folder that is being filled may not be readable yet: it is tried again when somebody asks the next time.
void WatchedRun::open_again() {
  const std::unique_lock alone(opening_, std::try_to_lock);
  if (!alone.owns_lock() || !run()->is_replaced()) return;
  auto anew = std::make_shared<const ShownRun>(folder_);
  const std::lock_guard lock(busy_);
  opened_ = {std::move(anew), opened_.generation + 1};
}

/// That a run is under way is what its summary says from its first moment to its last; a program that was
/// killed leaves it so, but not its lock on the folder.
std::string WatchedRun::state() {
  if (live_) return name(live_->state());
  const std::lock_guard lock(busy_);
  if (const std::string stamp = files_.stamp("summary.json"); stamp != summary_read_) {
    says_running_ = says_running(files_.read("summary.json", kMostTextBytes));
    summary_read_ = stamp;
  }
  if (!says_running_) return "recorded";
  return is_being_written(folder_) ? "writing" : "broken-off";
}

WatchedRun::Status WatchedRun::status() {
  Status status;
  status.state = "recorded";
  try {
    status.summary = summary();
    status.state = state();
    if (live_) status.message = live_->message();
    if (run()->is_replaced()) open_again();
  } catch (const std::exception& error) {
    if (status.message.empty()) status.message = error.what();
  }
  const Opened now = opened();
  status.generation = now.generation;
  try {
    status.frames = now.run->frames();
    status.steps = now.run->steps().count();
  } catch (const std::exception& error) {
    if (status.message.empty()) status.message = error.what();
  }
  return status;
}

}  // namespace pliant
