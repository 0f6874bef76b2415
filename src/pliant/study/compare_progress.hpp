#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "pliant/base/timer.hpp"

namespace pliant {

/// How far a running member is, read from its folder.
struct MemberProgress {
  std::string name;
  int frames = 0, frames_planned = 0;
  std::int64_t steps = 0;
  double seconds = 0;  ///< since it was started, or gone on with
};

/// "sdirk2_steps_per_frame=5  [###.....]  12/48 frames, 60 steps, 0:03", without the bar where the terminal
/// is too narrow for it.
std::string member_line(const MemberProgress& progress, size_t name_width, size_t width);

/// Counts the frames in a run folder from `known` on, and reads the number of the last step.
void follow(const std::filesystem::path& folder, MemberProgress& progress);

/// One display for all members on standard error. On a terminal a line for each that runs, drawn over
/// themselves; elsewhere a line when one starts or ends.
class CompareProgress {
 public:
  CompareProgress(size_t members, bool quiet);

  void started(const std::string& name);
  void ended(const std::string& name, const std::string& status, double seconds);
  void interrupted(const std::string& name, double seconds);
  /// Another program has the folder of a member.
  void waits(const std::string& name, const std::filesystem::path& folder);
  void kept(const std::string& name, const std::string& status);
  /// Whether it is time to look how far members are.
  bool is_due() const;
  void show(const std::vector<MemberProgress>& running);
  /// Takes the lines off again.
  void clear();
  /// Leaves them where they are, since something else was written below.
  void leave() { lines_ = 0; }

 private:
  void say(const std::string& line);

  size_t members_, done_ = 0;
  bool quiet_, terminal_;
  size_t lines_ = 0;  ///< on the screen now
  Timer since_start_, since_shown_;
};

}  // namespace pliant
