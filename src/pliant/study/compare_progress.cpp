#include "pliant/study/compare_progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "pliant/base/text.hpp"
#include "pliant/run/output_folder.hpp"
#include "pliant/study/member_result.hpp"
#include "pliant/view/csv.hpp"

namespace pliant {

namespace fs = std::filesystem;

namespace {

constexpr double kSecondsBetweenShows = 0.2;

std::string hours_and_minutes(double seconds) {
  const auto whole = std::llround(std::min(seconds, 1e9));
  return whole >= 3600 ? format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
                       : format("{}:{:02}", whole / 60, whole % 60);
}

size_t terminal_width() {
  winsize size{};
  constexpr size_t kUsual = 80;
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

/// The number of the last step in a file of steps; 0 where there is none.
std::int64_t last_step(const fs::path& file) {
  constexpr std::streamoff kEnough = 2048;  // for the last row
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream) return 0;
  const std::streamoff size = stream.tellg();
  stream.seekg(std::max<std::streamoff>(0, size - kEnough));
  std::string text(static_cast<size_t>(std::min(size, kEnough)), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  const std::string line = last_line(text);
  std::string_view rest = line;
  take_field(rest);  // the frame
  const double step = number_in(take_field(rest)).value_or(0);
  return step > 0 ? std::llround(step) : 0;
}

}  // namespace

std::string member_line(const MemberProgress& progress, size_t name_width, size_t width) {
  constexpr int kBar = 20;
  const int filled =
      progress.frames_planned > 0 ? std::clamp(kBar * progress.frames / progress.frames_planned, 0, kBar) : 0;
  const std::string name = format("{:<{}}  ", progress.name, name_width);
  const std::string bar = format("[{}{}]  ", std::string(static_cast<size_t>(filled), '#'),
                                 std::string(static_cast<size_t>(kBar - filled), '.'));
  const std::string rest = format("{}/{} frames, {} steps, {}", progress.frames, progress.frames_planned,
                                  progress.steps, hours_and_minutes(progress.seconds));
  const bool fits = name.size() + bar.size() + rest.size() <= width;
  return (name + (fits ? bar : "") + rest).substr(0, width);
}

void follow(const fs::path& folder, MemberProgress& progress) {
  std::error_code ignored;
  while (fs::exists(frame_path(folder, progress.frames + 1), ignored)) ++progress.frames;
  progress.steps = last_step(folder / "steps.csv");
}

CompareProgress::CompareProgress(size_t members, bool quiet)
    : members_(members), quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

void CompareProgress::started(const std::string& name) {
  if (!terminal_) say(format("{}: started", name));
}

void CompareProgress::ended(const std::string& name, const std::string& status, double seconds) {
  ++done_;
  say(format("{}: {}, {} ({}/{})", name, status, hours_and_minutes(seconds), done_, members_));
}

void CompareProgress::interrupted(const std::string& name, double seconds) {
  say(format("{}: interrupted, {}", name, hours_and_minutes(seconds)));
}

void CompareProgress::kept(const std::string& name, const std::string& status) {
  ++done_;
  say(format("{}: {} before, kept ({}/{})", name, status, done_, members_));
}

void CompareProgress::waits(const std::string& name, const fs::path& folder) {
  say(format("{}: waits until the program that writes to {} has ended", name, folder.string()));
}

void CompareProgress::say(const std::string& line) {
  if (quiet_) return;
  clear();
  std::fputs((line + "\n").c_str(), stderr);
  std::fflush(stderr);
}

bool CompareProgress::is_due() const {
  return !quiet_ && terminal_ && since_shown_.seconds() >= kSecondsBetweenShows;
}

void CompareProgress::show(const std::vector<MemberProgress>& running) {
  since_shown_ = Timer();
  const size_t width = terminal_width() - 1;
  size_t name_width = 0;
  for (const MemberProgress& member : running) name_width = std::max(name_width, member.name.size());
  clear();
  std::string text;
  for (const MemberProgress& member : running) text += member_line(member, name_width, width) + "\n";
  text +=
      format("{} of {} members done, {}", done_, members_, hours_and_minutes(since_start_.seconds())) + "\n";
  lines_ = running.size() + 1;
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

void CompareProgress::clear() {
  // Up to the first of the lines, then everything below it away.
  if (lines_ > 0) std::fputs(format("\x1b[{}A\r\x1b[J", lines_).c_str(), stderr);
  lines_ = 0;
}

}  // namespace pliant
