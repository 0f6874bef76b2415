#include "pliant/run/interrupt.hpp"

#include <unistd.h>

namespace pliant {

namespace {
volatile std::sig_atomic_t interrupted = 0;
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

bool InterruptWatch::requested() const { return interrupted != 0; }

}  // namespace pliant
