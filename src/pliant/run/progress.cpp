#include "pliant/run/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "pliant/base/text.hpp"

namespace pliant {

namespace {

constexpr int kBarWidth = 24;
constexpr const char* kClearLine = "\r\x1b[K";
/// Redrawing more often than this is a flicker to the eye and a cost to cheap steps.
constexpr double kSecondsBetweenBars = 0.1;

std::string clock_time(double seconds) {
  const auto whole = std::llround(std::min(seconds, 1e9));
  const auto hours = whole / 3600, minutes = whole / 60 % 60;
  return hours > 0 ? format("{}:{:02}:{:02}", hours, minutes, whole % 60)
                   : format("{}:{:02}", minutes, whole % 60);
}

}  // namespace

std::string progress_line(const ProgressView& view, bool with_bar) {
  std::string line;
  if (with_bar) {
    const int filled = view.frames > 0 ? static_cast<int>(kBarWidth * (1.0 * view.frame / view.frames)) : 0;
    const auto width = static_cast<size_t>(std::clamp(filled, 0, kBarWidth));
    line = format("[{}{}] ", std::string(width, '#'), std::string(kBarWidth - width, '.'));
  }
  line += format("{}/{} frames", view.frame, view.frames);
  if (view.frames_per_second > 0) {
    const double left = (view.frames - view.frame) / view.frames_per_second;
    line += format(", {:.3g} frames/s, {} left", view.frames_per_second, clock_time(left));
  }
  return line + format(", {} iterations", view.iterations);
}

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

void Progress::run_begins(const RunTotals& totals, int frames_planned) {
  first_frame_ = totals.frames;
  view_ = {totals.frames, frames_planned, 0, 0};
  seconds_before_ = totals.seconds.total;
  if (terminal_) show();
}

void Progress::step_done(const RunTotals&, const StepReport& report) {
  view_.iterations = report.outcome.iterations;
  if (terminal_ && since_shown_.seconds() >= kSecondsBetweenBars) show();
}

void Progress::frame_done(const RunTotals& totals) {
  view_.frame = totals.frames;
  const double seconds = totals.seconds.total - seconds_before_;
  view_.frames_per_second = (totals.frames - first_frame_) / std::max(seconds, 1e-9);
  if (!terminal_ || view_.frame == view_.frames || since_shown_.seconds() >= kSecondsBetweenBars) show();
}

void Progress::message_follows() {
  if (terminal_ && !quiet_) std::fputs(kClearLine, stderr);
}

void Progress::run_ends() {
  if (terminal_ && !quiet_) std::fputs("\n", stderr);
}

void Progress::show() {
  if (quiet_) return;
  const std::string line = progress_line(view_, terminal_);
  std::fputs((terminal_ ? kClearLine + line : line + "\n").c_str(), stderr);
  std::fflush(stderr);
  since_shown_ = Timer();
}

}  // namespace pliant
