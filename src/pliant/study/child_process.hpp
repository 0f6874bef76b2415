#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace pliant {

/// Another process that runs a program, with nothing to read and its output in a file. It has a process group
/// of its own, so that a key pressed at the terminal reaches this program alone, which then decides; and it
/// is asked to end (SIGTERM) when this program is gone, however that came.
class ChildProcess {
 public:
  /// `arguments` without the name of the program; no shell looks at them. Throws IoError.
  ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
               const std::filesystem::path& output);
  /// Asks it to end and waits for that.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  bool running();  ///< asks the system, without waiting
  void stop();     ///< SIGTERM, once

  /// How it ended: the code it gave, or -1 with the signal that ended it.
  int exit_code() const { return exit_code_; }
  int signal() const { return signal_; }

 private:
  void note(int status);

  pid_t process_ = -1;
  bool running_ = false, stopped_ = false;
  int exit_code_ = -1, signal_ = 0;
};

}  // namespace pliant
