#include "view.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "pliant/base/log.hpp"
#include "pliant/base/text.hpp"
#include "pliant/view/server.hpp"

namespace pliant {

namespace {

bool has_screen() {
  for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    const char* value = std::getenv(variable);
    if (value && *value) return true;
  }
  return false;
}

/// A page that only its owner may read and that leads to the link; empty where it cannot be written.
std::string write_redirect(const std::string& link) {
  std::error_code nowhere;
  const char* own = std::getenv("XDG_RUNTIME_DIR");
  const std::filesystem::path folder = own && std::filesystem::is_directory(own, nowhere)
                                           ? std::filesystem::path(own)
                                           : std::filesystem::temp_directory_path(nowhere);
  constexpr std::string_view kEnding = ".html";
  std::string file = (folder / "pliant-XXXXXX").string().append(kEnding);
  const int handle = ::mkostemps(file.data(), kEnding.size(), O_CLOEXEC);  // for its owner alone
  if (handle < 0) return "";
  const std::string page = format(
      "<!doctype html><title>Pliant</title><meta http-equiv=\"refresh\" content=\"0;url={}\">\n", link);
  const bool written = ::write(handle, page.data(), page.size()) == std::ssize(page);
  if (::close(handle) == 0 && written) return file;
  ::unlink(file.c_str());
  return "";
}

/// Whatever it says is its own business, and it goes on without us. False where there is no such program.
bool open_browser(const std::string& file) {
  std::string program = "xdg-open", argument = file;
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
  const int failed = ::posix_spawnp(&child, program.c_str(), &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0;
}

}  // namespace

ShownLink::ShownLink(const std::string& link, bool browser) {
  fmt::print("{}\n", link);
  std::fflush(stdout);
  if (browser && has_screen()) file_ = write_redirect(link);
  if (!opened() || open_browser(file_)) return;
  remove();
  file_.clear();
}

ShownLink::~ShownLink() { remove(); }

void ShownLink::remove() const {
  if (opened()) ::unlink(file_.c_str());
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
  {
    const ShownLink shown(server.link(), options.browser);
    int signal = 0;
    ::sigwait(&ending, &signal);
  }
  // The server ends when its answers under way are done; a second Ctrl-C does not wait for them.
  ::pthread_sigmask(SIG_UNBLOCK, &ending, nullptr);
  return 0;
}

}  // namespace pliant
