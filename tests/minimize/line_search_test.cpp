#include "minimize/analytic.hpp"
#include "minimize/on_host.hpp"
#include "pliant/minimize/line_searches.hpp"

namespace pliant::line_search_test {
namespace {

using testing::Analytic;
using testing::start_at;

/// Searches from x along `step` and checks both strong Wolfe conditions at the end.
SearchPoint search_checked(Analytic& f, const Vector& x, const Vector& step, int* evaluations = nullptr) {
  const SearchPoint start = start_at(f, x, step);
  SearchPoint end;
  StrongWolfe wolfe;
  const SearchReport report = testing::search(wolfe, f, start, step, end);
  EXPECT_TRUE(report.accepted);
  EXPECT_LE(end.value, 1e-4 * end.alpha * start.slope);
  EXPECT_LE(std::abs(end.slope), 0.9 * std::abs(start.slope));
  if (evaluations) *evaluations = report.evaluations;
  return end;
}

TEST(StrongWolfe, TakesTheFullStepAtOnceWhereItIsGood) {
  Analytic f = testing::barrier(1);
  int evaluations = 0;
  EXPECT_EQ(search_checked(f, Vector::Constant(3, 0.8), Vector::Constant(3, 0.16), &evaluations).alpha, 1);
  EXPECT_EQ(evaluations, 1);
}

TEST(StrongWolfe, GoesFurtherThanTheFullStep) {
  Analytic f = testing::double_well(1);
  EXPECT_GT(search_checked(f, Vector::Constant(3, 3.0), Vector::Constant(3, -1e-3)).alpha, 1);
}

TEST(StrongWolfe, ShortensAStepThatOvershoots) {
  Analytic f = testing::double_well(1);
  EXPECT_LT(search_checked(f, Vector::Constant(3, 2.0), Vector::Constant(3, -100)).alpha, 1);
}

TEST(StrongWolfe, BacksOffFromInfinity) {
  Analytic f = testing::barrier(1);
  EXPECT_LT(search_checked(f, Vector::Constant(3, 2.0), Vector::Constant(3, -50)).alpha, 0.04);
}

TEST(StrongWolfe, ComesBackFromWhereTheValueIsAstronomical) {
  // The roundoff of 1e25 is far above what there is to gain, which says nothing about the start.
  Analytic f(
      1, [](const Vector& x) { return std::pow(x[0], 8); },
      [](const Vector& x) { return Vector(Vec3(8 * std::pow(x[0], 7), 0, 0)); },
      [](const Vector& x) { return Eigen::MatrixXd(Vec3(56 * std::pow(x[0], 6), 0, 0).asDiagonal()); });
  EXPECT_LT(search_checked(f, Vec3(1, 0, 0), Vec3(-1500, 0, 0)).alpha, 0.01);
}

TEST(StrongWolfe, KeepsAwayFromAWallThatOnlyTheCurvatureConditionWouldSeek) {
  // What falls steadily in x_0 meets a wall in x_1 that is felt only right at it, as that of a soft body is
  // beside a stiff one.
  Analytic f(
      1,
      [](const Vector& x) {
        return x[1] < 1 ? -x[0] - 1e-12 * std::log(1 - x[1]) : std::numeric_limits<double>::infinity();
      },
      [](const Vector& x) { return Vector(Vec3(-1, 1e-12 / (1 - x[1]), 0)); },
      [](const Vector&) { return Eigen::MatrixXd(Mat3::Identity()); });
  const Vector step = Vec3(3, 3, 0);
  const SearchPoint start = start_at(f, Vec3::Zero(), step);
  SearchPoint end;
  StrongWolfe wolfe;
  EXPECT_TRUE(testing::search(wolfe, f, start, step, end).accepted);
  EXPECT_GT(end.x.host()[1], 0.3);
  EXPECT_LT(end.x.host()[1], 0.99);
}

TEST(StrongWolfe, TreatsNotANumberAsInfinity) {
  Analytic f(
      1, [](const Vector& x) { return x[0] < 0 ? std::nan("") : x[0] - std::log(x[0]); },
      [](const Vector& x) { return Vector(Vec3(1 - 1 / x[0], 0, 0)); },
      [](const Vector&) { return Eigen::MatrixXd(Mat3::Identity()); });
  EXPECT_LT(search_checked(f, Vec3(2, 0, 0), Vec3(-50, 0, 0)).alpha, 0.04);
}

TEST(StrongWolfe, EndsNoHigherThanAnyGoodPointItSawOnTheWayOverBumps) {
  // Valleys of different depth, one behind the other; the start lies near a top, the full step anywhere up to
  // the fourth valley.
  const auto value = [](double x) { return std::cos(x) - 0.02 * x; };
  std::vector<double> asked;
  Analytic f(
      1,
      [&](const Vector& x) {
        asked.push_back(x[0]);
        return value(x[0]);
      },
      [](const Vector& x) { return Vector(Vec3(-std::sin(x[0]) - 0.02, 0, 0)); },
      [](const Vector&) { return Eigen::MatrixXd(Mat3::Identity()); });
  constexpr double kFrom = 0.1, kPeriod = 2 * 3.14159;
  const double slope = -std::sin(kFrom) - 0.02;
  int crossed = 0;
  for (double length = 0.5; length < 20; length *= 1.05) {
    asked.clear();
    const SearchPoint end = search_checked(f, Vec3(kFrom, 0, 0), Vec3(length, 0, 0));
    double nearest = 1e300, furthest = 0;
    for (size_t i = 1; i < asked.size(); ++i) {
      const double x = asked[i], change = value(x) - value(kFrom);
      nearest = std::min(nearest, x);
      furthest = std::max(furthest, x);
      if (change > 1e-4 * (x - kFrom) * slope) continue;
      EXPECT_LE(end.value, change + 1e-12) << "full step " << length << ", saw " << x;
    }
    crossed += std::floor(nearest / kPeriod) < std::floor(furthest / kPeriod);
  }
  EXPECT_GT(crossed, 5) << "hardly any search looked on both sides of a bump";
}

TEST(StrongWolfe, RefusesAStepUphill) {
  Analytic f = testing::double_well(1);
  const Vector step = Vector::Constant(3, 0.1);
  SearchPoint start = start_at(f, Vector::Constant(3, 2.0), step), end;
  start.slope = -1;  // a lie, as roundoff may tell
  StrongWolfe wolfe;
  EXPECT_FALSE(testing::search(wolfe, f, start, step, end).accepted);
}

/// A valley whose far side is four times as steep, searched by halving from a point at distance 1 along a
/// step of some length.
struct Halved {
  static double steepness(const Vector& x) { return x[0] > 0 ? 1 : 4; }
  Analytic f{1, [](const Vector& x) { return 0.5 * steepness(x) * x.squaredNorm(); },
             [](const Vector& x) { return Vector(steepness(x) * x); },
             [](const Vector&) { return Eigen::MatrixXd(Mat3::Identity()); }};
  SearchPoint end;
  SearchReport report;

  explicit Halved(double length) {
    const Vector step = Vec3(-length, 0, 0);
    Backtracking backtracking;
    report = testing::search(backtracking, f, start_at(f, Vec3(1, 0, 0), step), step, end);
  }
};

TEST(Backtracking, HalvesTheStepUntilTheValueFallsEnough) {
  // A step of length l is taken where 2 (l - 1)^2 - 1/2 <= -0.03 l, that is up to 1.4773, and half of it
  // beyond.
  EXPECT_EQ(Halved(1.477).end.alpha, 1);
  EXPECT_EQ(Halved(1.477).report.evaluations, 1);
  EXPECT_EQ(Halved(1.478).end.alpha, 0.5) << "the value falls, but not by enough";
  EXPECT_LT(Halved(1.478).f.evaluate(Vec3(-0.478, 0, 0), nullptr), -0.04);
  EXPECT_EQ(Halved(2.954).end.alpha, 0.5);
  EXPECT_EQ(Halved(2.956).end.alpha, 0.25);
  EXPECT_EQ(Halved(2.956).report.evaluations, 3);
  EXPECT_EQ(Halved(2.956).end.x.host(), Vector(Vec3(1 - 2.956 / 4, 0, 0)));
}

TEST(Backtracking, BacksOffFromInfinityAndRefusesAStepUphill) {
  Analytic f = testing::barrier(1);
  const Vector step = Vector::Constant(3, -50.0);
  SearchPoint start = start_at(f, Vector::Constant(3, 2.0), step), end;
  Backtracking backtracking;
  const SearchReport report = testing::search(backtracking, f, start, step, end);
  EXPECT_TRUE(report.accepted);
  EXPECT_TRUE(report.met_infinity);
  EXPECT_EQ(end.alpha, 1.0 / 32) << "1/16 leads beyond zero";
  start.slope = -1;  // a lie
  EXPECT_FALSE(testing::search(backtracking, f, start, Vector::Constant(3, 1.0), end).accepted);
}

TEST(StrongWolfe, SatisfiesBothConditionsFromManyStarts) {
  Analytic f = testing::rosenbrock(1);
  for (int i = 0; i < 200; ++i) {
    const Vector x = 2 * Vec3(std::sin(i), std::cos(1.7 * i), std::sin(2.3 * i + 1));
    Vector gradient;
    f.evaluate(x, &gradient);
    search_checked(f, x, -std::pow(10.0, i % 7 - 5) * gradient);
  }
}

}  // namespace
}  // namespace pliant::line_search_test
