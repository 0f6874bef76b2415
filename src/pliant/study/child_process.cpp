#include "pliant/study/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "pliant/base/error.hpp"

namespace pliant {

namespace {

constexpr int kNotStarted = 127;

/// Between fork and exec, where little is allowed. That there is a between is why this is no posix_spawn: the
/// wish to be told of the parent's end has to be said by the child.
[[noreturn]] void become(const char* program, char* const* arguments, int output, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(kNotStarted);
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::execv(program, arguments);
  ::_exit(kNotStarted);
}

}  // namespace

ChildProcess::ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                           const std::filesystem::path& output) {
  std::vector<std::string> words = {program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int handle = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (handle < 0) throw IoError("cannot write " + output.string() + ": " + std::strerror(errno));
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ == 0) become(words.front().c_str(), pointers.data(), handle, parent);
  const int error = errno;
  ::close(handle);
  if (process_ < 0) throw IoError(std::string("cannot start another process: ") + std::strerror(error));
  running_ = true;
}

ChildProcess::~ChildProcess() {
  stop();
  int status = 0;
  while (running_ && ::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
}

bool ChildProcess::running() {
  int status = 0;
  if (running_ && ::waitpid(process_, &status, WNOHANG) == process_) note(status);
  return running_;
}

void ChildProcess::stop() {
  if (running_ && !stopped_) ::kill(process_, SIGTERM);
  stopped_ = true;
}

void ChildProcess::note(int status) {
  running_ = false;
  if (WIFEXITED(status)) exit_code_ = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) signal_ = WTERMSIG(status);
}

}  // namespace pliant
