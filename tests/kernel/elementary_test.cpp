// Our own logarithms, exponential, cube root and arc tangent: within one ulp of long doubles, and the same
// bits in packs.
#include "pliant/kernel/elementary.hpp"

#include <cstring>
#include <random>

#include "pliant/base/pack.hpp"

namespace pliant::elementary_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
constexpr double kLargest = std::numeric_limits<double>::max();

/// By how many distances between neighbouring doubles `own` misses the truth.
double ulps(double own, long double truth) {
  const double size = std::abs(static_cast<double>(truth));
  const double ulp = std::nextafter(size, kInfinity) - size;
  return static_cast<double>(std::abs((static_cast<long double>(own) - truth) / ulp));
}

/// The worst over many numbers: evenly between two, or of all sizes with either sign.
class Numbers {
 public:
  double between(double low, double high) { return low + (high - low) * uniform_(random_); }
  double of_any_size(int least = -1074, int most = 1023) {
    const double size = std::ldexp(1 + uniform_(random_), static_cast<int>(between(least, most)));
    return uniform_(random_) < 0.5 ? -size : size;
  }
  template <class Own, class Truth, class Next>
  double worst(const Own& own, const Truth& truth, const Next& next) {
    constexpr int kMany = 100000;
    double most = 0;
    for (int i = 0; i < kMany; ++i) {
      const double a = next();
      most = std::max(most, ulps(own(a), truth(static_cast<long double>(a))));
    }
    return most;
  }

 private:
  std::mt19937_64 random_{1};
  std::uniform_real_distribution<double> uniform_{0, 1};
};

TEST(Elementary, LogarithmIsWithinAnUlp) {
  Numbers numbers;
  const auto own = [](double a) { return logarithm(a); };
  const auto truth = [](long double a) { return std::log(a); };
  EXPECT_LE(numbers.worst(own, truth, [&] { return std::abs(numbers.of_any_size()); }), 1);
  EXPECT_LE(numbers.worst(own, truth, [&] { return numbers.between(0.3, 2.5); }), 1);
  EXPECT_LE(numbers.worst(own, truth, [&] { return 1 + numbers.of_any_size(-52, -2); }), 1);
  for (const double a : {kSmallest, kLargest}) EXPECT_LE(ulps(logarithm(a), std::log(a * 1.0L)), 1);
  EXPECT_EQ(logarithm(1.0), 0);
  EXPECT_EQ(logarithm(0.0), -kInfinity);
  EXPECT_EQ(logarithm(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(logarithm(-1.0)));
  EXPECT_TRUE(std::isnan(logarithm(std::nan(""))));
}

TEST(Elementary, LogarithmOfOnePlusIsWithinAnUlp) {
  Numbers numbers;
  const auto own = [](double a) { return log_one_plus(a); };
  const auto truth = [](long double a) { return std::log1p(a); };
  EXPECT_LE(numbers.worst(own, truth, [&] { return numbers.between(-0.999, 3); }), 1);
  EXPECT_LE(numbers.worst(own, truth, [&] { return numbers.of_any_size(-1022, -1); }), 1);
  EXPECT_LE(numbers.worst(own, truth, [&] { return std::abs(numbers.of_any_size(-3, 1023)); }), 1);
  EXPECT_LE(numbers.worst(own, truth, [&] { return -1 + std::abs(numbers.of_any_size(-52, -2)); }), 1);
  EXPECT_EQ(log_one_plus(kSmallest), kSmallest);
  EXPECT_EQ(log_one_plus(0.0), 0);
  EXPECT_EQ(log_one_plus(-1.0), -kInfinity);
  EXPECT_EQ(log_one_plus(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(log_one_plus(-2.0)));
  EXPECT_TRUE(std::isnan(log_one_plus(std::nan(""))));
}

TEST(Elementary, ExponentialIsWithinAnUlp) {
  Numbers numbers;
  const auto own = [](double a) { return exponential(a); };
  const auto truth = [](long double a) { return std::exp(a); };
  EXPECT_LE(numbers.worst(own, truth, [&] { return numbers.between(-708, 709); }), 1);
  EXPECT_LE(numbers.worst(own, truth, [&] { return numbers.between(-745, -708); }), 1) << "denormal";
  EXPECT_LE(numbers.worst(own, truth, [&] { return numbers.of_any_size(-1074, 1); }), 1);
  EXPECT_EQ(exponential(0.0), 1);
  EXPECT_EQ(exponential(-746.0), 0);
  EXPECT_EQ(exponential(-kInfinity), 0);
  EXPECT_EQ(exponential(709.8), kInfinity);
  EXPECT_EQ(exponential(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(exponential(std::nan(""))));
}

TEST(Elementary, CubeRootIsWithinAnUlp) {
  Numbers numbers;
  const auto own = [](double a) { return cube_root(a); };
  const auto truth = [](long double a) { return std::cbrt(a); };
  EXPECT_LE(numbers.worst(own, truth, [&] { return numbers.of_any_size(); }), 1);
  EXPECT_LE(numbers.worst(own, truth, [&] { return numbers.between(0.9, 8.1); }), 1);
  for (const double a : {kSmallest, kLargest, -8.0}) EXPECT_LE(ulps(cube_root(a), std::cbrt(a * 1.0L)), 1);
  EXPECT_EQ(cube_root(0.0), 0);
  EXPECT_EQ(cube_root(-kInfinity), -kInfinity);
  EXPECT_TRUE(std::isnan(cube_root(std::nan(""))));
}

TEST(Elementary, ArcTangentIsWithinAnUlp) {
  Numbers numbers;
  const auto worst = [&](const auto& next) {
    double x = 0;
    return numbers.worst([&](double y) { return arc_tangent(y, x); },
                         [&](long double y) { return std::atan2(y, static_cast<long double>(x)); },
                         [&] { return next(x); });
  };
  EXPECT_LE(worst([&](double& x) { return x = numbers.between(-1, 1), numbers.between(-1, 1); }), 1);
  EXPECT_LE(worst([&](double& x) { return x = numbers.of_any_size(-40, 40), numbers.of_any_size(-40, 40); }),
            1);
  EXPECT_LE(worst([&](double& x) { return x = numbers.of_any_size(-900, 900), x * numbers.between(-4, 4); }),
            1);
  EXPECT_LE(worst([&](double& x) { return x = kSmallest * numbers.between(-9, 9), 7 * kSmallest; }), 1);
  EXPECT_EQ(arc_tangent(0.0, 0.0), 0);
  EXPECT_EQ(arc_tangent(0.0, -1.0), std::atan2(0.0, -1.0));
  EXPECT_EQ(arc_tangent(-1.0, 0.0), std::atan2(-1.0, 0.0));
  EXPECT_TRUE(std::isnan(arc_tangent(std::nan(""), 1.0)));
}

template <class T, class Function>
void expect_the_bits_of_doubles(const Function& function) {
  Numbers numbers;
  constexpr int kPacks = 2000;
  for (int pack = 0; pack < kPacks; ++pack) {
    double a[kLanes<T>], b[kLanes<T>], result[kLanes<T>];
    for (int lane = 0; lane < kLanes<T>; ++lane) {
      a[lane] = pack % 2 == 0 ? numbers.between(-1, 3) : numbers.of_any_size();
      b[lane] = pack % 3 == 0 ? numbers.of_any_size(-2, 2) : numbers.of_any_size(-300, 300);
    }
    store(function(load<T>(a), load<T>(b)), result);
    for (int lane = 0; lane < kLanes<T>; ++lane) {
      const double alone = function(a[lane], b[lane]);
      ASSERT_EQ(std::memcmp(&result[lane], &alone, sizeof alone) == 0 || std::isnan(alone), true)
          << a[lane] << " " << b[lane];
    }
  }
}

template <class T>
void expect_all_to_have_the_bits_of_doubles() {
  expect_the_bits_of_doubles<T>([](const auto& a, const auto&) { return logarithm(a); });
  expect_the_bits_of_doubles<T>([](const auto& a, const auto&) { return log_one_plus(a); });
  expect_the_bits_of_doubles<T>([](const auto& a, const auto&) { return exponential(a); });
  expect_the_bits_of_doubles<T>([](const auto& a, const auto&) { return cube_root(a); });
  expect_the_bits_of_doubles<T>([](const auto& a, const auto& b) { return arc_tangent(a, b); });
}

TEST(Elementary, HasTheSameBitsInPacks) {
  expect_all_to_have_the_bits_of_doubles<PackOf<2>>();
  expect_all_to_have_the_bits_of_doubles<Pack>();
}

}  // namespace
}  // namespace pliant::elementary_test
