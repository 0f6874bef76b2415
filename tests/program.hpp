#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "pliant/base/files.hpp"

namespace pliant {

/// How a program ended.
struct Ending {
  int exit_code = -1;
  std::string said;  ///< on standard output and standard error
};

/// Tests of the program from outside. Each has a folder of its own, in which the program runs, and which is
/// removed at the end.
class ProgramTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "pliant-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    write_file_atomically(folder_ / name, text);
  }

  /// Runs a line of shell in the folder.
  Ending shell(const std::string& line) const {
    const std::string command = "cd '" + folder_.string() + "' && { " + line + "; } 2>&1";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    Ending ending;
    std::array<char, 4096> buffer;
    for (size_t count; (count = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
      ending.said.append(buffer.data(), count);
    const int status = ::pclose(pipe);
    ending.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ending;
  }

  Ending run(const std::string& arguments) const { return shell(PLIANT_PROGRAM " " + arguments); }

  std::filesystem::path folder_;
};

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace pliant
