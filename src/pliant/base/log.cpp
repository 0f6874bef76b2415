#include "pliant/base/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "pliant/base/text.hpp"

namespace pliant::log {

namespace {
spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made =
        std::make_shared<spdlog::logger>("pliant", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made->set_pattern("%^%v%$");
    return made;
  }();
  return *instance;
}
}  // namespace

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

void info(const std::string& message) { logger().info(printable(message)); }
void warn(const std::string& message) { logger().warn("warning: " + printable(message)); }
void error(const std::string& message) { logger().error("error: " + printable(message)); }
void set_quiet(bool quiet) { logger().set_level(quiet ? spdlog::level::warn : spdlog::level::info); }

}  // namespace pliant::log
