#include "pliant/view/visits.hpp"

namespace pliant::visits_test {
namespace {

TEST(Visits, ThatAreExpectedAreWaitedForAWhile) {
  EXPECT_TRUE(is_wanted({}, 0, true));
  EXPECT_TRUE(is_wanted({}, 20, true));
  EXPECT_FALSE(is_wanted({}, 31, true));
}

TEST(Visits, OfNobodyAreNotWaitedFor) { EXPECT_FALSE(is_wanted({}, 0, false)); }

TEST(Visits, OfAHiddenTabThatAsksOnceAMinuteAreEnough) {
  for (const bool somebody_is_there : {true, false}) {
    EXPECT_TRUE(is_wanted({.pages = 1, .since_request = 61}, 1000, somebody_is_there));
    EXPECT_FALSE(is_wanted({.pages = 1, .since_request = 200}, 1000, somebody_is_there));
  }
}

TEST(Visits, ThatHaveEndedAreForgottenSoon) {
  EXPECT_TRUE(is_wanted({.pages = 0, .since_request = 1}, 1000, true)) << "it may be loading again";
  EXPECT_FALSE(is_wanted({.pages = 0, .since_request = 6}, 1000, true));
}

}  // namespace
}  // namespace pliant::visits_test
