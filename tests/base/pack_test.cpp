#include "pliant/base/pack.hpp"

namespace pliant::pack_test {
namespace {

TEST(LoadAt, PutsTheNumberOfEachPlaceIntoItsLane) {
  constexpr int kMost = 16;
  std::vector<double> from;
  std::vector<int> places;
  for (int k = 0; k < 4 * kMost; ++k) from.push_back(10.0 + k);
  for (int lane = 0; lane < kMost; ++lane) places.push_back(7 * lane % (4 * kMost));
  const auto expect_all = [&](auto pack) {
    double lanes[kLanes<decltype(pack)>];
    store(pack, lanes);
    for (int lane = 0; lane < kLanes<decltype(pack)>; ++lane) EXPECT_EQ(lanes[lane], from[places[lane]]);
  };
  expect_all(load_at<double>(from.data(), places.data()));
  expect_all(load_at<PackOf<2>>(from.data(), places.data()));
  expect_all(load_at<NativePack>(from.data(), places.data()));
  expect_all(load_at<Pack>(from.data(), places.data()));
}

}  // namespace
}  // namespace pliant::pack_test
