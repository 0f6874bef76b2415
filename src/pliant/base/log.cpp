#include "pliant/base/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

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

void info(const std::string& message) { logger().info(message); }
void warn(const std::string& message) { logger().warn("warning: " + message); }
void error(const std::string& message) { logger().error("error: " + message); }
void set_quiet(bool quiet) { logger().set_level(quiet ? spdlog::level::warn : spdlog::level::info); }

}  // namespace pliant::log
