#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace pliant {

/// One complaint about an input file: where, what was found, and what to do about it. Line and column count
/// from 1; 0 means that the complaint is about the file as a whole.
struct Complaint {
  std::string file;
  int line = 0;
  int column = 0;
  std::string message;

  /// "file:line:column: message", leaving out what is not known.
  std::string text() const;
};

/// The input is wrong: exit code 2. Carries every complaint, not only the first.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Complaint> complaints);
  explicit InputError(Complaint complaint) : InputError(std::vector<Complaint>{std::move(complaint)}) {}
  explicit InputError(std::string message) : InputError(Complaint{"", 0, 0, std::move(message)}) {}

  const std::vector<Complaint>& complaints() const { return complaints_; }

 private:
  std::vector<Complaint> complaints_;
};

/// The disk or a file failed: exit code 4.
class IoError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace pliant
