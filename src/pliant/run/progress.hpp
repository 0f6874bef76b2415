#pragma once

#include <string>

#include "pliant/base/timer.hpp"
#include "pliant/run/observer.hpp"

namespace pliant {

/// How far a run is, in numbers that a person asks for.
struct ProgressView {
  int frame = 0, frames = 0;
  double frames_per_second = 0;  ///< 0 where not known yet
  int iterations = 0;            ///< of the last step
};

/// "[#####.....] 36/72 frames, 3.2 frames/s, 0:11 left, 7 iterations"; without the bar, the rest of it.
std::string progress_line(const ProgressView& view, bool with_bar);

/// Shows on standard error how far a run is: a bar that is drawn over itself on a terminal, a line a frame
/// elsewhere, nothing where `quiet`.
class Progress : public RunObserver {
 public:
  explicit Progress(bool quiet);

  void run_begins(const RunTotals& totals, int frames_planned) override;
  void step_done(const RunTotals& totals, const StepReport& report) override;
  void frame_done(const RunTotals& totals) override;
  void message_follows() override;
  void run_ends() override;

 private:
  void show();

  bool quiet_;
  bool terminal_;
  int first_frame_ = 0;
  double seconds_before_ = 0;  ///< that the run took until that frame
  ProgressView view_;
  Timer since_shown_;
};

}  // namespace pliant
