#pragma once

#include <string>
#include <utility>

#include "pliant/base/error.hpp"

namespace pliant {

/// Where something was written: a place in a file, or an override, which has a text ("--set key=value") and
/// no line.
struct Origin {
  std::string file;
  int line = 0;
  int column = 0;

  Complaint complaint(std::string message) const { return {file, line, column, std::move(message)}; }
};

}  // namespace pliant
