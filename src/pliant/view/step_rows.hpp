#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// The rows of a steps.csv that may still grow: every call reads what has come since the last one. A file
/// that was cut back, as resuming a run does, is read anew. Calls may come from many threads.
class StepRows {
 public:
  explicit StepRows(std::filesystem::path file) : file_(std::move(file)) {}

  /// How many there are now. Throws InputError where the file cannot be read or is no table of steps.
  size_t count();

  /// A container of the rows from `from` on: JSON {from, rows, columns, failed, statuses}, one f64 array a
  /// column of numbers, NaN where a field is empty. `failed` are the rows (counted from the first of all)
  /// that did not converge, `statuses` says of each how.
  std::string from(size_t from);

 private:
  void update();
  void read_more();
  void forget();
  void take_header(std::string_view line);
  void take_row(std::string_view line);

  std::filesystem::path file_;
  std::mutex busy_;
  std::uint64_t read_ = 0;  ///< bytes of whole lines
  std::string head_;        ///< the first of them, to see whether the file is still the same
  size_t width_ = 0, status_ = 0;
  std::vector<std::string> columns_;         ///< of numbers
  std::vector<std::vector<double>> values_;  ///< of each of them
  struct Failure {
    size_t row;
    std::string status;
  };
  std::vector<Failure> failures_;
  size_t rows_ = 0;
};

}  // namespace pliant
