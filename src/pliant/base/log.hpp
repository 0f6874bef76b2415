#pragma once

#include <string>
#include <string_view>

/// Messages for the person at the terminal, on standard error. What they quote may come from anybody: a
/// control character in them is written as its number.
namespace pliant::log {

void info(const std::string& message);
void warn(const std::string& message);
void error(const std::string& message);

/// The message without control characters but ends of lines and tabs.
std::string printable(std::string_view message);

/// Leaves out info messages.
void set_quiet(bool quiet);

}  // namespace pliant::log
