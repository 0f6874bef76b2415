#include "pliant/picture/frame_list.hpp"

#include "pliant/base/error.hpp"

namespace pliant::frame_list_test {

namespace {

std::string complaint(const std::string& text, int count) {
  try {
    parse_frame_list(text, count);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(FrameList, OfNoTextIsAllFrames) { EXPECT_EQ(parse_frame_list("", 3), (std::vector<int>{0, 1, 2})); }

TEST(FrameList, KeepsTheOrderOfAList) {
  EXPECT_EQ(parse_frame_list("4,0,2", 5), (std::vector<int>{4, 0, 2}));
}

TEST(FrameList, IncludesTheEndOfARange) {
  EXPECT_EQ(parse_frame_list("0:72:24", 73), (std::vector<int>{0, 24, 48, 72}));
  EXPECT_EQ(parse_frame_list("3:5", 6), (std::vector<int>{3, 4, 5}));
}

TEST(FrameList, SaysHowManyFramesThereAre) {
  EXPECT_NE(complaint("0,73", 73).find("73 frames, 0 to 72"), std::string::npos);
  EXPECT_NE(complaint("0:100:10", 73).find("73 frames, 0 to 72"), std::string::npos);
}

TEST(FrameList, RefusesWhatIsNotOne) {
  for (const char* text : {"a", "1,", ",", "1;2", "-1", "1:2:0", "5:2", "1:2:3:4", "0:1,2", "99999999999"}) {
    EXPECT_NE(complaint(text, 10), "") << text;
  }
}

TEST(FrameList, RefusesARunWithoutFrames) { EXPECT_NE(complaint("", 0), ""); }

}  // namespace pliant::frame_list_test
