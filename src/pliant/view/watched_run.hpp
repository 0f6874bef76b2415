#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "pliant/view/live_run.hpp"
#include "pliant/view/shown_run.hpp"

namespace pliant {

/// A run folder that is looked at while it may be written to, cut short or filled anew, by this program or
/// another one. All calls may come from many threads.
class WatchedRun {
 public:
  /// `live` is the hand on the run where this process computes it. Throws InputError as ShownRun does.
  explicit WatchedRun(std::filesystem::path folder, LiveRun* live = nullptr);

  struct Status {
    int generation = 0;   ///< counts how often the folder was filled anew: nothing of before is valid then
    std::string summary;  ///< another text when summary.json is another one
    int frames = 0;
    size_t steps = 0;
    /// Of a LiveRun; else "writing" while another program computes it, "broken-off" where none does and none
    /// said that it has ended, and "recorded".
    std::string state;
    std::string message;
  };
  /// Opens the folder again where it was filled anew. Never throws: what is wrong becomes the message.
  Status status();

  /// Of Status.
  std::string state();

  /// As it was opened last.
  std::shared_ptr<const ShownRun> run() const { return opened().run; }
  /// ShownRun::head of that.
  std::string head(int id) const;
  /// Of Status.
  std::string summary() const { return files_.stamp("summary.json"); }
  const std::filesystem::path& folder() const { return folder_; }
  LiveRun* live() const { return live_; }

 private:
  struct Opened {
    std::shared_ptr<const ShownRun> run;
    int generation = 0;
  };

  Opened opened() const;
  void open_again();

  const std::filesystem::path folder_;
  LiveRun* const live_;
  RunFiles files_;
  mutable std::mutex busy_;  ///< for the members below it
  Opened opened_;
  std::string summary_read_;  ///< its stamp
  bool says_running_ = false;
  std::mutex opening_;  ///< held while the folder is opened again
};

}  // namespace pliant
