#pragma once

#include <string>

/// Messages for the person at the terminal, on standard error.
namespace pliant::log {

void info(const std::string& message);
void warn(const std::string& message);
void error(const std::string& message);

/// Leaves out info messages.
void set_quiet(bool quiet);

}  // namespace pliant::log
