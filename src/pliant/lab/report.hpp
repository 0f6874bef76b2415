#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// What `pliant compare` adds to a report: a table, and error against seconds.
struct Comparison {
  struct Point {
    std::string name;
    double seconds = 0;
    double error = 0;
  };
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< texts; the first column is the member's name
  std::vector<Point> points;
};

struct ReportOptions {
  std::vector<std::filesystem::path> runs;
  std::filesystem::path output;
  int every = 0;  ///< frames; 0: as few are left out as keep the file below 20 MB
  std::optional<Comparison> comparison = {};
};

/// One file to send to others: the page with the runs in it. Written under a temporary name and renamed.
/// Throws InputError where a run cannot be read, IoError where the disk fails.
void write_report(const ReportOptions& options);

}  // namespace pliant
