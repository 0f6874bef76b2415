#pragma once

#include <functional>
#include <string>
#include <string_view>

/// Messages for people, from anywhere and from any thread. What they quote may come from anybody: a control
/// character in them is written as its number.
namespace pliant::log {

void info(const std::string& message);
void warn(const std::string& message);
void error(const std::string& message);

enum class Level { info, warning, error };

/// What a message begins with where it stands among others: nothing, "warning: " or "error: ".
std::string_view prefix(Level level);

/// Takes one message after another.
using Sink = std::function<void(Level, const std::string& message)>;

/// Where messages go from now on, for a host that has a log of its own; an empty sink stands for standard
/// error, where they go to begin with.
void set_sink(Sink sink);

/// The message without control characters but ends of lines and tabs.
std::string printable(std::string_view message);

/// Leaves out info messages.
void set_quiet(bool quiet);

}  // namespace pliant::log
