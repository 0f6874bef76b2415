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

}  // namespace
}  // namespace pliant::log_test
