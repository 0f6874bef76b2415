#include "pliant/base/log.hpp"

namespace pliant::log_test {
namespace {

TEST(Log, KeepsTextLinesAndTabs) {
  const std::string text = "Körper \"α\", frame 3:\n\t\xc2\xb5m";
  EXPECT_EQ(log::printable(text), text);
}

TEST(Log, WritesControlCharactersAsNumbers) {
  EXPECT_EQ(log::printable("a\x1b[31mred\r"), "a\\x1b[31mred\\x0d");
  EXPECT_EQ(log::printable(std::string("\x7f\0", 2)), "\\x7f\\x00");
  EXPECT_EQ(log::printable("\xc2\x9b"
                           "31m\xc2"),
            "\\x9b31m\xc2");
}

TEST(Log, MessagesHoldNone) {
  ::testing::internal::CaptureStderr();
  log::warn("body \x1b]0;title\a is damaged");
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("\\x1b]0;title\\x07"), std::string::npos) << said;
}

/// What is said while it lives, a line each.
class Listener {
 public:
  Listener() {
    log::set_sink([this](log::Level level, const std::string& message) {
      said += std::string(log::prefix(level)) + message + '\n';
    });
  }
  ~Listener() {
    log::set_sink({});
    log::set_quiet(false);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::string said;
};

TEST(Log, GoesWhereTheHostWantsIt) {
  const Listener listener;
  ::testing::internal::CaptureStderr();
  log::info("a step\r");
  log::warn("it is slow");
  log::error("it is wrong");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(listener.said, "a step\\x0d\nwarning: it is slow\nerror: it is wrong\n");
}

TEST(Log, LeavesOutInfoWhereItIsToBeQuiet) {
  const Listener listener;
  log::set_quiet(true);
  log::info("a step");
  log::warn("it is slow");
  EXPECT_EQ(listener.said, "warning: it is slow\n");
}

TEST(Log, GoesToStandardErrorUnlessToldOtherwise) {
  ::testing::internal::CaptureStderr();
  log::error("it is wrong");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "error: it is wrong\n");
}

}  // namespace
}  // namespace pliant::log_test
