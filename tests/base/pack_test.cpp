#include "pliant/base/pack.hpp"

#include <cmath>
#include <limits>

namespace pliant::pack_test {
namespace {

TEST(LogOnePlus, IsThatOfTheLibraryToRoundoff) {
  const auto expect_same = [](double a) {
    EXPECT_NEAR(log_one_plus(a), std::log1p(a), 1e-15 * std::abs(std::log1p(a))) << a;
  };
  for (double a = -0.999; a < 3; a += 1e-3) expect_same(a);
  for (double a = 1e-300; a < 1; a *= 3) {
    expect_same(a);
    expect_same(-a);
  }
  EXPECT_EQ(log_one_plus(0.0), 0);
  EXPECT_EQ(log_one_plus(-1.0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(log_one_plus(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(log_one_plus(-2.0)));
}

TEST(LogOnePlus, HasTheSameBitsInPacks) {
  for (double first = -0.9; first < 2; first += 0.01) {
    const NativePack a(NativePack::Lanes([&](int lane) { return first + 0.2 * lane; }));
    const NativePack packed = log_one_plus(a);
    for (int lane = 0; lane < NativePack::size(); ++lane)
      EXPECT_EQ(double(packed.v[lane]), log_one_plus(double(a.v[lane]))) << double(a.v[lane]);
  }
}

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
