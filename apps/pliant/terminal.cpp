#include "terminal.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

#include "pliant/base/log.hpp"

namespace pliant {

namespace {

spdlog::level::level_enum colour_of(log::Level level) {
  switch (level) {
    case log::Level::warning:
      return spdlog::level::warn;
    case log::Level::error:
      return spdlog::level::err;
    default:
      return spdlog::level::info;
  }
}

}  // namespace

void log_to_terminal() {
  const auto logger =
      std::make_shared<spdlog::logger>("pliant", std::make_shared<spdlog::sinks::stderr_color_sink_st>());
  logger->set_pattern("%^%v%$");
  log::set_sink([logger](log::Level level, const std::string& message) {
    logger->log(colour_of(level), std::string(log::prefix(level)) + message);
  });
}

}  // namespace pliant
