#include "view.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "pliant/base/log.hpp"
#include "pliant/base/text.hpp"
#include "pliant/lab/server.hpp"

namespace pliant {

namespace {

bool has_screen() {
  for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    const char* value = std::getenv(variable);
    if (value && *value) return true;
  }
  return false;
}

/// Whatever it says is its own business, and it goes on without us.
void open_browser(const std::string& link) {
  std::string program = "xdg-open", argument = link;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  // With its own session and no signal blocked: Ctrl-C is not meant for it.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  ::posix_spawnp(&child, program.c_str(), &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
}

}  // namespace

void show_link(const std::string& link, bool browser) {
  fmt::print("{}\n", link);
  std::fflush(stdout);
  if (browser && has_screen()) open_browser(link);
}

int view_command(const ViewOptions& options) {
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGINT);
  sigaddset(&ending, SIGTERM);
  LabServer server(options.port);
  for (const std::filesystem::path& run : options.runs)
    if (const auto complaint = server.add(run)) log::warn(*complaint);
  // Before the server's threads are there, so that none of them takes the signals instead.
  ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  server.start();
  log::info("serving until Ctrl-C; open this link in a browser:");
  show_link(server.link(), options.browser);
  int signal = 0;
  ::sigwait(&ending, &signal);
  return 0;
}

}  // namespace pliant
