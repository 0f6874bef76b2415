#pragma once

#include <filesystem>

#include "pliant/study/compare_plan.hpp"

namespace pliant {

struct CompareOptions {
  CompareQuestion question;
  std::filesystem::path output;
  int jobs = 1;     ///< members that run at once
  int threads = 0;  ///< of each; 0 shares the machine's out
  bool overwrite = false;
  bool quiet = false;
  std::filesystem::path program = "/proc/self/exe";  ///< whose `run` command computes a member
};

/// How a comparison ended.
struct CompareEnd {
  bool interrupted = false;  ///< the same call goes on where it was
  int broken = 0;            ///< members that did not run to their end
  int with_failed_steps = 0;

  /// 0 all converged; 3 a member has failed steps or did not run to its end; 130 interrupted.
  int exit_code() const;
};

/// Runs every member in a process of its own, so that one that crashes is a row of the table and not the end,
/// measures them by the most accurate, prints the table on standard output and writes it with a report. What
/// lies finished in the folder is kept, what was begun goes on. SIGINT and SIGTERM stop the members after the
/// step in work. Throws InputError where the question or the folder is wrong, before anything is written;
/// IoError where the disk fails.
CompareEnd compare(const CompareOptions& options);

}  // namespace pliant
