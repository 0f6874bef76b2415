#pragma once

#include <csignal>

namespace pliant {

/// While it lives, the first SIGINT or SIGTERM is noted instead of ending the program; a second one ends it
/// as usual, for those who cannot wait for the step in work. Only one may live at a time.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  bool requested() const;

 private:
  struct sigaction before_int_, before_term_;
};

/// Ends a run in this process as SIGINT does; may be called by any thread.
void request_interrupt();

/// Whether a run that is watching has been asked to end, by a signal or by that.
bool interrupt_requested();

}  // namespace pliant
