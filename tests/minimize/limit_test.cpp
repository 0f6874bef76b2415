// Objectives that say how far a step may be gone: nothing further is looked at, and the minimum is found.
#include "minimize/analytic.hpp"
#include "minimize/on_host.hpp"
#include "pliant/minimize/directions.hpp"
#include "pliant/minimize/line_searches.hpp"

namespace pliant::limit_test {
namespace {

using testing::Analytic;
using testing::start_at;

std::vector<std::unique_ptr<LineSearch>> every_search() {
  std::vector<std::unique_ptr<LineSearch>> all;
  all.push_back(std::make_unique<StrongWolfe>());
  all.push_back(std::make_unique<Backtracking>());
  all.push_back(std::make_unique<ResidualBacktracking>());
  all.push_back(std::make_unique<UnitStep>());
  return all;
}

/// Writes down how far along (1, 0, 0) from zero it is asked.
Analytic along_x(std::function<double(double)> value, std::function<double(double)> slope,
                 std::vector<double>* asked) {
  return Analytic(
      1,
      [=](const Vector& x) {
        asked->push_back(x[0]);
        return value(x[0]);
      },
      [=](const Vector& x) { return Vector(Vec3(slope(x[0]), 0, 0)); },
      [](const Vector&) { return Eigen::MatrixXd(Mat3::Identity()); });
}

/// Valleys one behind the other, so that a search goes further, turns back and looks in between.
Analytic bumps(std::vector<double>* asked) {
  return along_x([](double x) { return -std::sin(x) - 0.1 * x; }, [](double x) { return -std::cos(x) - 0.1; },
                 asked);
}

/// Falls ever more slowly and has no end.
Analytic slide(std::vector<double>* asked) {
  return along_x([](double x) { return -10 * std::log(10 + x); }, [](double x) { return -10 / (10 + x); },
                 asked);
}

/// A wall at 2.
Analytic walled(std::vector<double>* asked) {
  return along_x(
      [](double x) { return x < 2 ? -x - std::log(2 - x) : std::numeric_limits<double>::infinity(); },
      [](double x) { return -1 + 1 / (2 - x); }, asked);
}

TEST(Limit, NoSearchLooksBeyond) {
  std::vector<double> asked;
  std::vector<Analytic> functions{bumps(&asked), slide(&asked), walled(&asked)};
  for (const auto& by : every_search())
    for (Analytic& f : functions)
      for (const double length : {0.01, 0.5, 3.0, 40.0})
        for (const double longest : {1e-3, 0.3, 1.0, 1.7, 2.0, 5.5, 1e3}) {
          const Vector step = Vec3(length, 0, 0);
          const SearchPoint start = start_at(f, Vec3::Zero(), step);
          SearchPoint end;
          asked.clear();
          testing::search(*by, f, start, step, end, longest);
          ASSERT_FALSE(asked.empty());
          for (const double x : asked) EXPECT_LE(x, longest * length) << "step " << length;
          EXPECT_LE(end.alpha, longest);
        }
}

TEST(Limit, StrongWolfeGoesUpToItWhereTheFunctionStillFallsThere) {
  std::vector<double> asked;
  Analytic f = slide(&asked);
  const Vector step = Vec3(0.25, 0, 0);
  const SearchPoint start = start_at(f, Vec3::Zero(), step);
  for (const double longest : {0.5, 1.0, 3.0, 11.0}) {
    StrongWolfe wolfe;
    SearchPoint end;
    EXPECT_TRUE(testing::search(wolfe, f, start, step, end, longest).accepted) << longest;
    EXPECT_EQ(end.alpha, longest);
  }
}

TEST(Limit, StrongWolfeLooksForTheMinimumBeforeIt) {
  std::vector<double> asked;
  Analytic f = bumps(&asked);
  const Vector step = Vec3(1, 0, 0);
  const SearchPoint start = start_at(f, Vec3::Zero(), step);
  StrongWolfe wolfe;
  SearchPoint end;
  EXPECT_TRUE(testing::search(wolfe, f, start, step, end, /*longest=*/3.5).accepted);
  EXPECT_GT(end.alpha, 1);  // the first valley is at 1.67
  EXPECT_LT(end.alpha, 2.5);
}

/// No block may be further away than so much from where a step begins. Remembers how far it was.
class Limited : public Analytic {
 public:
  Limited(const Analytic& f, double furthest) : Analytic(f), furthest_(furthest) {}

  using Analytic::evaluate;
  Change evaluate(const Field& x, Field* gradient, double enough) override {
    if (!from_.empty()) {
      Field way;
      add_scaled(-1, from_, x, way);
      gone_ = std::max(gone_, longest_block(way));
    }
    return Analytic::evaluate(x, gradient, enough);
  }
  double limit(const Field& x, Field& step) override {
    from_ = x;
    return furthest_ / longest_block(step);
  }
  double gone() const { return gone_; }

 private:
  double furthest_, gone_ = 0;
  Field from_;
};

constexpr double kRoundoff = 1e-12;

/// Descends to all ones from afar, with and without a limit.
void expect_the_minimum(const Analytic& f, Direction& direction, LineSearch& search, const Vector& start,
                        const DescentOptions& options) {
  constexpr double kFurthest = 0.05;
  Limited near(f, kFurthest), free(f, std::numeric_limits<double>::infinity());
  Vector x = start, y = start;
  const Outcome limited = testing::descend(near, direction, search, options, x);
  EXPECT_EQ(limited.status, Status::converged) << name(limited.status);
  EXPECT_LT((x - Vector::Ones(x.size())).norm(), 1e-7);
  EXPECT_LE(near.gone(), kFurthest * (1 + kRoundoff));
  EXPECT_GT(limited.iterations, testing::descend(free, direction, search, options, y).iterations);
  EXPECT_GT(free.gone(), 2 * kFurthest);
}

TEST(Limit, DescentsFindTheMinimumInShortSteps) {
  const DescentOptions options{.tolerance = 1e-9};
  NewtonCg cg(1);
  StrongWolfe wolfe;
  expect_the_minimum(testing::rosenbrock(2), cg, wolfe, Vector::Constant(6, -1.2), options);
  NewtonCholesky cholesky;
  Backtracking backtracking;
  expect_the_minimum(testing::rosenbrock(2), cholesky, backtracking, Vector::Constant(6, -1.2), options);
  UnitStep unit;
  expect_the_minimum(testing::barrier(1), cholesky, unit, Vector::Constant(3, 0.3), options);
  NewtonDirect direct;
  ResidualBacktracking by_residual;
  expect_the_minimum(testing::barrier(1), direct, by_residual, Vector::Constant(3, 0.3),
                     {.tolerance = 1e-9, .checks = false});
}

/// The first block may go a little way in each step, others are as free as ever.
class HeldBack final : public Analytic {
 public:
  explicit HeldBack(const Analytic& f) : Analytic(f) {}
  double limit(const Field& x, Field& step) override {
    const Vec3 first = step.host().head<3>();
    if (first.norm() > kMost) step.host().head<3>() *= kMost / first.norm();
    steps.emplace_back(x.host());
    return 1;
  }

  static constexpr double kMost = 0.1;
  std::vector<Vector> steps;  ///< where they began
};

TEST(Limit, MayShortenPartsOfAStepFirst) {
  HeldBack f(testing::barrier(2));
  NewtonCholesky newton;
  StrongWolfe wolfe;
  Vector x = (Vector(6) << 2, 2, 2, 0.8, 0.8, 0.8).finished();
  EXPECT_EQ(testing::descend(f, newton, wolfe, {.tolerance = 1e-9}, x).status, Status::converged);
  EXPECT_LT((x - Vector::Ones(6)).norm(), 1e-7);
  ASSERT_GT(f.steps.size(), 10u);
  for (size_t i = 1; i < f.steps.size(); ++i)
    EXPECT_LE((f.steps[i] - f.steps[i - 1]).head<3>().norm(), HeldBack::kMost * (1 + kRoundoff));
  EXPECT_LT((f.steps[5] - Vector::Ones(6)).tail<3>().norm(), 1e-6) << "others do not wait";
}

/// Where a descent starts that is given one guess and a safe point.
Vector start_of_descent(Analytic& f, const Vector& guess, const Vector& safe) {
  Solver solver({.tolerance = 1e-9});
  Vector start;
  solver.set_watch([&](int iterations, const Field& x) {
    if (iterations == 0) start = x.host();
  });
  EXPECT_TRUE(is_converged(testing::solve(solver, f, {guess}, safe).outcome.status));
  return start;
}

TEST(Limit, GuessesAreReachedFromTheSafePointOnlyAsFarAsItLets) {
  const Vector safe = Vec3(2, 1, 1), guess = Vec3(6, 4, 1);
  Limited near(testing::barrier(1), 2), far(testing::barrier(1), 5.01);
  EXPECT_LT((start_of_descent(near, guess, safe) - Vec3(3.6, 2.2, 1)).norm(), 1e-12) << "two fifths of 5";
  EXPECT_LE(near.gone(), 2 * (1 + kRoundoff));
  EXPECT_LT((start_of_descent(far, guess, safe) - guess).norm(), 1e-12);
}

TEST(Limit, GuessesAreReachedByWhatItLeavesOfTheWay) {
  const Vector safe = Vector::Constant(6, 2), guess = Vector::Constant(6, 1.5);
  HeldBack f(testing::barrier(2));
  const Vector start = start_of_descent(f, guess, safe);
  EXPECT_LE((start - safe).head<3>().norm(), HeldBack::kMost * (1 + kRoundoff));
  EXPECT_LT((start - guess).tail<3>().norm(), 1e-12);
}

/// The first block is held.
class Holding final : public Limited {
 public:
  using Limited::Limited;
  Mask fixed() const override { return held_; }
  void mask(Vector& gradient) const { gradient.head<3>().setZero(); }
  using Limited::evaluate;
  Change evaluate(const Field& x, Field* gradient, double enough) override {
    const Change change = Limited::evaluate(x, gradient, enough);
    if (gradient) mask(gradient->host());
    return change;
  }

 private:
  std::vector<char> held_{1, 1, 1, 0, 0, 0};
};

TEST(Limit, WhatIsHeldGetsToItsPlaceBitByBit) {
  Holding f(testing::barrier(2), 0.3);
  const Vector safe = Vector::Constant(6, 0.5);
  Vector guess = safe;
  guess.head<3>() = Vec3(1.7, 0.5, 0.6);
  Solver solver({.tolerance = 1e-9});
  const auto [outcome, x] = testing::solve(solver, f, {guess}, safe);
  EXPECT_TRUE(is_converged(outcome.status)) << name(outcome.status);
  EXPECT_EQ(x.head<3>(), guess.head<3>());
  EXPECT_LT((x - Vector::Ones(6)).tail<3>().norm(), 1e-7);
  EXPECT_LE(f.gone(), 0.3 * (1 + kRoundoff));
}

/// Knows where the minimum is.
class Knowing final : public Safeguard {
 public:
  std::string_view name() const override { return "knowing"; }
  Proposal propose(int iterations, const SearchPoint& here, Field& x) override {
    if (iterations == 0) return {};
    x = Field(Vector::Ones(here.x.size()));
    return {.made = true};
  }
};

TEST(Limit, HoldsForWhatSafeguardsProposeToo) {
  constexpr double kFurthest = 0.05;
  Limited f(testing::rosenbrock(2), kFurthest);
  NewtonCg cg(1);
  StrongWolfe wolfe;
  Knowing knowing;
  Safeguard* const safeguards[] = {&knowing};
  Vector x = Vector::Constant(6, -0.2);
  EXPECT_EQ(testing::descend(f, cg, wolfe, {.tolerance = 1e-9, .safeguards = safeguards}, x).status,
            Status::converged);
  EXPECT_LT((x - Vector::Ones(6)).norm(), 1e-7);
  EXPECT_LE(f.gone(), kFurthest * (1 + kRoundoff));
}

TEST(Limit, DescentsSayStalledWhereNoStepCanBeTaken) {
  for (const auto& by : every_search()) {
    Limited f(testing::barrier(1), 0);
    NewtonCholesky newton;
    Vector x = Vec3(0.5, 0.6, 0.7);
    const Outcome outcome = testing::descend(f, newton, *by, {.tolerance = 1e-9}, x);
    EXPECT_EQ(outcome.status, Status::stalled);
    EXPECT_EQ(outcome.iterations, 1);
    EXPECT_EQ(x, Vector(Vec3(0.5, 0.6, 0.7)));
  }
}

}  // namespace
}  // namespace pliant::limit_test
