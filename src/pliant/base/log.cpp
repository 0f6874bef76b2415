#include "pliant/base/log.hpp"

#include <cstdio>
#include <mutex>
#include <utility>

#include "pliant/base/text.hpp"

namespace pliant::log {

namespace {

struct Outlet {
  std::mutex mutex;
  Sink sink;
  bool quiet = false;
};

Outlet& outlet() {
  static Outlet instance;
  return instance;
}

void send(Level level, const std::string& message) {
  Outlet& to = outlet();
  const std::lock_guard lock(to.mutex);
  if (to.quiet && level == Level::info) return;
  const std::string text = printable(message);
  if (to.sink) return to.sink(level, text);
  const std::string line = std::string(prefix(level)) + text + '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

std::string_view prefix(Level level) {
  switch (level) {
    case Level::warning:
      return "warning: ";
    case Level::error:
      return "error: ";
    default:
      return "";
  }
}

void set_sink(Sink sink) {
  const std::lock_guard lock(outlet().mutex);
  outlet().sink = std::move(sink);
}

std::string printable(std::string_view message) {
  std::string text;
  for (size_t i = 0; i < message.size(); ++i) {
    const auto byte = static_cast<unsigned char>(message[i]);
    const bool is_plain = (byte >= 0x20 && byte != 0x7f) || byte == '\n' || byte == '\t';
    // U+0080 to U+009F, in UTF-8: terminals take them for sequences that begin with an escape, too.
    const bool is_wide = byte == 0xc2 && i + 1 < message.size() &&
                         (static_cast<unsigned char>(message[i + 1]) & 0xe0U) == 0x80;
    if (is_wide)
      text += format("\\x{:02x}", static_cast<unsigned char>(message[++i]));
    else if (is_plain)
      text += message[i];
    else
      text += format("\\x{:02x}", byte);
  }
  return text;
}

void info(const std::string& message) { send(Level::info, message); }
void warn(const std::string& message) { send(Level::warning, message); }
void error(const std::string& message) { send(Level::error, message); }

void set_quiet(bool quiet) {
  const std::lock_guard lock(outlet().mutex);
  outlet().quiet = quiet;
}

}  // namespace pliant::log
