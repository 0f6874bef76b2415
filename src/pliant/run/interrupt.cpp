#include "pliant/run/interrupt.hpp"

namespace pliant {

namespace {
volatile std::sig_atomic_t interrupted = 0;
}  // namespace

InterruptWatch::InterruptWatch() {
  interrupted = 0;
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
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
