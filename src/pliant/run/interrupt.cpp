#include "pliant/run/interrupt.hpp"

#include <unistd.h>

#include <atomic>

namespace pliant {

namespace {
// Set by a signal handler, which may use an atomic that has no lock.
std::atomic<int> interrupted = 0;
static_assert(std::atomic<int>::is_always_lock_free);
}  // namespace

InterruptWatch::InterruptWatch() {
  interrupted = 0;
  struct sigaction action {};
  action.sa_handler = [](int) {
    interrupted = 1;
    constexpr char kWords[] =
        "\ninterrupted: this step is finished first; once more ends at once and loses the frame\n";
    static_cast<void>(!::write(STDERR_FILENO, kWords, sizeof kWords - 1));  // all that a handler may do
  };
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, &before_int_);
  ::sigaction(SIGTERM, &action, &before_term_);
}

InterruptWatch::~InterruptWatch() {
  ::sigaction(SIGINT, &before_int_, nullptr);
  ::sigaction(SIGTERM, &before_term_, nullptr);
}

bool InterruptWatch::requested() const { return interrupt_requested(); }

void request_interrupt() { interrupted = 1; }

bool interrupt_requested() { return interrupted != 0; }

}  // namespace pliant
