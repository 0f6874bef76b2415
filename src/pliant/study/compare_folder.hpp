#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pliant/study/compare_plan.hpp"

namespace pliant {

/// The folder that a comparison is written to, made ready and locked against a second one for as long as this
/// lives:
///
///     members/NAME/    the run folder of each member
///     logs/NAME.txt    what it said
///     comparison.json  what is compared, so that the same question goes on where it was
///     comparison.csv   the table
///     report.html
class CompareFolder {
 public:
  /// Throws InputError where the folder holds something else than this comparison; with `overwrite` another
  /// comparison is removed first, and nothing but one. Throws IoError where the disk fails.
  CompareFolder(std::filesystem::path folder, const ComparePlan& plan, bool overwrite);
  ~CompareFolder();
  CompareFolder(const CompareFolder&) = delete;
  CompareFolder& operator=(const CompareFolder&) = delete;

  std::filesystem::path members() const { return path_ / "members"; }
  std::filesystem::path log(const std::string& member) const { return path_ / "logs" / (member + ".txt"); }
  std::filesystem::path table() const { return path_ / "comparison.csv"; }
  std::filesystem::path report() const { return path_ / "report.html"; }

  /// How many members ran at once when this one did; remembered with the comparison.
  int at_once(size_t member) const { return at_once_[member]; }
  void set_at_once(size_t member, int count);

  /// With how many threads a member ran: one number, or one for each part of a member that was resumed with
  /// others. Remembered as well.
  const std::vector<int>& threads(size_t member) const { return threads_[member]; }
  /// When a member starts; `resumes` where it goes on with a part of it.
  void note_start(size_t member, int threads, bool resumes);

 private:
  void decide(bool overwrite);
  void remove_comparison() const;
  std::string plan_text() const;

  std::filesystem::path path_;
  const ComparePlan& plan_;
  std::vector<int> at_once_;
  std::vector<std::vector<int>> threads_;
  int handle_ = -1;
};

}  // namespace pliant
