// A solver's safeguards, each seen to act and to be missed, and where it starts.
#include "errors.hpp"
#include "minimize/analytic.hpp"
#include "minimize/on_host.hpp"
#include "pliant/base/error.hpp"

namespace pliant::solver_test {
namespace {

using testing::Analytic;
using testing::solve;
using testing::Solved;

TEST(Solver, RefusesANameThatNoMethodHas) {
  EXPECT_ERROR(InputError, "no solver is called 'newton-raphson'", Solver({.method = "newton-raphson"}));
}

/// A solver that says where its descent starts.
struct Watched {
  Solver solver;
  Vector start;

  explicit Watched(const SolverOptions& options) : solver(options) {
    solver.set_watch([this](int iterations, const Field& x) {
      if (iterations == 0) start = x.host();
    });
  }
  Watched(const Watched&) = delete;
};

const SafeguardSwitches kNoGuesses{.guesses = false};

TEST(Solver, StartsFromTheLowestOfItsGuessesOrFromTheLast) {
  const Vector low = Vec3(2, 1, 1), high = Vec3(9, 1, 1), last = Vec3(4, 1, 1);
  for (const std::string method : {"newton-cg", "newton-cholesky", "lbfgs"}) {
    SolverOptions options{.method = method, .tolerance = 1e-9};
    options.lbfgs.initial = InitialHessian::identity;
    Analytic f = testing::barrier(1);
    Watched with(options);
    EXPECT_EQ(solve(with.solver, f, {high, low, last}).outcome.status, Status::converged);
    EXPECT_EQ(with.start, low) << method;
    options.safeguards = kNoGuesses;
    Watched without(options);
    EXPECT_EQ(solve(without.solver, f, {high, low, last}).outcome.status, Status::converged);
    EXPECT_EQ(without.start, last) << method;
  }
}

TEST(Solver, AGuessThatIsCloseNeedsNoRival) {
  const Vector close = Vector::Constant(3, 1 + 1e-4), closer = Vector::Constant(3, 1 + 1e-5);
  Analytic f = testing::barrier(1);
  Watched watched({.tolerance = 1e-4});
  solve(watched.solver, f, {closer, close});
  EXPECT_EQ(watched.start, close);
}

TEST(Solver, TakesTheSafePointWhereAGuessIsInfinite) {
  const Vector finite = Vec3(9, 1, 1), infinite = Vec3(-1, 1, 1), safe = Vec3(2, 1, 1);
  Analytic f = testing::barrier(1);
  Watched with({.tolerance = 1e-9}), without({.tolerance = 1e-9, .safeguards = kNoGuesses});
  EXPECT_EQ(solve(with.solver, f, {infinite, finite}, safe).outcome.status, Status::converged);
  EXPECT_EQ(with.start, safe);
  EXPECT_EQ(solve(without.solver, f, {infinite, finite}, safe).outcome.status, Status::converged);
  EXPECT_EQ(without.start, finite);
  EXPECT_EQ(solve(without.solver, f, {finite, infinite}, safe).outcome.status, Status::converged);
  EXPECT_EQ(without.start, safe) << "without it there is no other";
}

TEST(Solver, TakesTheSafePointWhereForcesThrowAGuessFarBack) {
  const Vector guess = Vec3(1e-5, 1, 1), safe = Vec3(2, 1, 1);
  const auto start = [&](const SolverOptions& options, double to_stay) {
    Analytic f = testing::barrier(1);
    Watched watched(options);
    const Field given(guess), safe_point(safe);
    Field x;
    const Outcome outcome =
        watched.solver.solve(f, {.all = {&given, 1}, .safe = &safe_point, .to_stay = to_stay}, x);
    EXPECT_EQ(outcome.status, Status::converged);
    return watched.start;
  };
  EXPECT_EQ(start({.tolerance = 1e-9}, 1), safe) << "1e5 is far more than 1000 times as much";
  EXPECT_EQ(start({.tolerance = 1e-9}, 1e3), guess);
  EXPECT_EQ(start({.tolerance = 1e-9, .safeguards = kNoGuesses}, 1), guess);
  EXPECT_EQ(start({.method = "newton-cholesky", .tolerance = 1e-9}, 1), guess) << "as in its paper";
}

/// Two points on a line keep a distance of 1, softly, and cannot pass each other. The first one is held.
class Pair final : public Analytic {
 public:
  Pair()
      : Analytic(
            1,
            [](const Vector& x) {
              const double l = x[1] - x[0];
              return l > 0 ? l - std::log(l) + 0.5 * x[2] * x[2] : std::numeric_limits<double>::infinity();
            },
            [](const Vector& x) { return Vector(Vec3(0, 1 - 1 / (x[1] - x[0]), x[2])); },
            [](const Vector& x) {
              return Eigen::MatrixXd(Vec3(1, std::pow(x[1] - x[0], -2), 1).asDiagonal());
            }) {}
  Mask fixed() const override { return held_; }

 private:
  std::vector<char> held_{1, 0, 0};
};

TEST(Solver, ApproachesWhereHeldUnknownsPushOthersThroughWalls) {
  const Vector safe = Vec3(0, 1, 0), guess = Vec3(5, 1, 0);  // the held point has passed the other one
  for (const std::string method : {"newton-cg", "newton-cholesky"})
    for (const bool guesses : {true, false}) {
      Pair f;
      Solver solver({.method = method, .tolerance = 1e-9, .safeguards = {.guesses = guesses}});
      const auto [outcome, x] = solve(solver, f, {guess}, safe);
      EXPECT_EQ(outcome.status, Status::converged) << method;
      EXPECT_LT((x - Vec3(5, 6, 0)).norm(), 1e-8) << method;
    }
}

TEST(Solver, SaysWhereNoStartIsFiniteAndStaysAtTheSafePoint) {
  Analytic f = testing::barrier(1);
  const Vector guess = Vector::Constant(3, -1), safe = Vector::Constant(3, -2);
  Solver solver({});
  const auto [outcome, x] = solve(solver, f, {guess}, safe);
  EXPECT_EQ(outcome.status, Status::not_finite);
  EXPECT_EQ(x, safe);
}

/// A chain of soft elements from a wall to a stiff spring that presses it to a hundredth of its length. Each
/// element is infinite where it has no length left.
class Chain final : public Analytic, public Stiffening {
 public:
  static constexpr int kCount = 60;
  static constexpr double kSoft = 1e-3, kStiff = 1e4;

  Chain() : Chain(std::make_shared<double>(1)) {}

  static Vector at_rest() {
    Vector x = Vector::Zero(3 * kCount);
    for (int i = 0; i < kCount; ++i) x[3 * i] = i + 1;
    return x;
  }
  void stiffen(double factor) override {
    *factor_ = factor;
    factors.push_back(factor);
  }
  double softness() override { return kStiff / kSoft; }

  std::vector<double> factors;  ///< asked for

 private:
  explicit Chain(const std::shared_ptr<double>& factor)
      : Analytic(
            kCount, [factor](const Vector& x) { return value(x, *factor); },
            [factor](const Vector& x) { return gradient(x, *factor); },
            [factor](const Vector& x) { return hessian_at(x, *factor); }),
        factor_(factor) {}

  static double length(const Vector& x, int i) { return x[3 * i] - (i > 0 ? x[3 * i - 3] : 0); }
  static double too_long(const Vector& x) { return x[3 * kCount - 3] - 0.01 * kCount; }

  static double value(const Vector& x, double factor) {
    double sum = 0.5 * (x - at_rest()).squaredNorm() + 0.5 * kStiff * too_long(x) * too_long(x);
    for (int i = 0; i < kCount; ++i) {
      const double l = length(x, i);
      if (!(l > 0)) return std::numeric_limits<double>::infinity();
      sum += factor * kSoft * (l - std::log(l));
    }
    return sum;
  }
  static Vector gradient(const Vector& x, double factor) {
    Vector g = x - at_rest();
    g[3 * kCount - 3] += kStiff * too_long(x);
    for (int i = 0; i < kCount; ++i) {
      const double force = factor * kSoft * (1 - 1 / length(x, i));
      g[3 * i] += force;
      if (i > 0) g[3 * i - 3] -= force;
    }
    return g;
  }
  static Eigen::MatrixXd hessian_at(const Vector& x, double factor) {
    Eigen::MatrixXd H = Eigen::MatrixXd::Identity(x.size(), x.size());
    H(3 * kCount - 3, 3 * kCount - 3) += kStiff;
    for (int i = 0; i < kCount; ++i) {
      const double stiffness = factor * kSoft / std::pow(length(x, i), 2);
      H(3 * i, 3 * i) += stiffness;
      if (i == 0) continue;
      H(3 * i - 3, 3 * i - 3) += stiffness;
      H(3 * i, 3 * i - 3) -= stiffness;
      H(3 * i - 3, 3 * i) -= stiffness;
    }
    return H;
  }

  std::shared_ptr<double> factor_;
};

constexpr double kTolerance = 1e-6;

Solved pressed(Chain& f, const SafeguardSwitches& switches, int max_iterations = 500,
               std::vector<std::unique_ptr<Safeguard>> safeguards = {}) {
  Solver solver({.tolerance = kTolerance, .max_iterations = max_iterations, .safeguards = switches},
                std::move(safeguards));
  return solve(solver, f, {Chain::at_rest()}, Chain::at_rest());
}

double residual(Chain& f, const Vector& x) {
  Vector gradient;
  f.evaluate(x, &gradient);
  return gradient.norm();
}

TEST(Solver, FindsTheMinimumCloseToWallsOnADetourThroughStifferProblems) {
  Chain f;
  const auto [outcome, x] = pressed(f, {});
  EXPECT_EQ(outcome.status, Status::converged) << name(outcome.status);
  EXPECT_TRUE(outcome.met_infinity);
  ASSERT_GT(f.factors.size(), 2u) << "no detour";
  EXPECT_GT(f.factors.front(), 1);
  EXPECT_TRUE(std::is_sorted(f.factors.rbegin(), f.factors.rend())) << "ever less stiff";
  EXPECT_EQ(f.factors.back(), 1);
  Chain plain;
  EXPECT_LT(residual(plain, x), kTolerance) << "a minimum of the problem itself";
  EXPECT_GT(pressed(plain, {.walls = false}).outcome.iterations, 1.2 * outcome.iterations);
}

TEST(Solver, TakesNoDetourWhereThatIsSwitchedOffOrTheMethodIsThePapers) {
  Chain f;
  const auto [outcome, x] = pressed(f, {.walls = false}, 60);
  EXPECT_EQ(outcome.status, Status::iteration_limit);
  EXPECT_EQ(outcome.iterations, 60);
  Solver truncated({.method = "newton-truncated", .tolerance = kTolerance, .max_iterations = 60});
  EXPECT_EQ(solve(truncated, f, {Chain::at_rest()}, Chain::at_rest()).outcome.iterations, 60);
  EXPECT_TRUE(f.factors.empty());
}

TEST(Solver, CountsTheDetourAmongTheIterationsItMayTake) {
  Chain f;
  const auto [outcome, x] = pressed(f, {}, 60);
  EXPECT_GT(f.factors.size(), 2u);
  EXPECT_EQ(outcome.status, Status::iteration_limit);
  EXPECT_LE(outcome.iterations, 60);
  EXPECT_TRUE(x.allFinite());
}

/// Knows where the minimum is, and is asked for it.
class Knowing final : public Safeguard {
 public:
  explicit Knowing(const Vector& minimum, bool of_detours, int* asked)
      : minimum_(minimum), of_detours_(of_detours), asked_(asked) {}
  std::string_view name() const override { return "knowing"; }
  bool serves_detours() const override { return of_detours_; }
  Proposal propose(int, const SearchPoint&, Field& x) override {
    ++*asked_;
    if (minimum_.empty()) return {};
    copy(minimum_, x);
    return {.made = true, .linear_solves = 2};
  }

 private:
  Field minimum_;
  bool of_detours_;
  int* asked_;
};

std::vector<std::unique_ptr<Safeguard>> knowing(const Vector& minimum, bool of_detours, int* asked) {
  std::vector<std::unique_ptr<Safeguard>> all;
  all.push_back(std::make_unique<Knowing>(minimum, of_detours, asked));
  return all;
}

TEST(Solver, GoesWhereItsSafeguardsPropose) {
  Analytic f = testing::rosenbrock(4);
  int asked = 0;
  Solver with({.tolerance = 1e-9}, knowing(Vector::Ones(12), true, &asked)), without({.tolerance = 1e-9});
  const Vector start = Vector::Constant(12, -1.2);
  const Outcome helped = solve(with, f, {start}).outcome, alone = solve(without, f, {start}).outcome;
  EXPECT_EQ(helped.status, Status::converged);
  EXPECT_EQ(alone.status, Status::converged);
  EXPECT_GE(helped.local_solves, 2);
  EXPECT_LE(helped.iterations, 1);
  EXPECT_GT(alone.iterations, 10);
  EXPECT_EQ(alone.local_solves, 0);
  EXPECT_GT(asked, 0);
}

TEST(Solver, AsksOnDetoursOnlyThoseWhoKnowOfThem) {
  const auto asked = [](bool of_detours) {
    Chain f;
    int times = 0;
    const Outcome outcome = pressed(f, {}, 500, knowing({}, of_detours, &times)).outcome;
    EXPECT_GT(f.factors.size(), 2u);
    EXPECT_GE(outcome.iterations, times);
    return times;
  };
  EXPECT_GT(asked(false), 50) << "before the detour, and at its end";
  EXPECT_GT(asked(true), asked(false));
}

TEST(Solver, ItsOwnSafeguardsCanBeMissing) {
  for (const SafeguardSwitches& switches :
       {SafeguardSwitches{}, {.guesses = false}, {.walls = false}, {.guesses = false, .walls = false}}) {
    Chain f;
    const auto [outcome, x] = pressed(f, switches, 2000);
    EXPECT_EQ(outcome.status, Status::converged);
    Chain plain;
    EXPECT_LT(residual(plain, x), kTolerance);
  }
}

/// A quadratic with that matrix, whose constant matrix has the same number whatever it is.
class Quadratic final : public Analytic, public ConstantMatrixOf {
 public:
  Quadratic(int blocks, double weight)
      : Analytic(
            blocks, [=](const Vector& x) { return 0.5 * weight * (x.array() - 1).matrix().squaredNorm(); },
            [=](const Vector& x) { return Vector(weight * (x.array() - 1)); },
            [=](const Vector& x) {
              return Eigen::MatrixXd(weight * Eigen::MatrixXd::Identity(x.size(), x.size()));
            }),
        weight_(weight),
        pattern_(blocks, {}) {}
  int number() override { return 0; }
  ScalarMatrix matrix() override {
    ScalarMatrix matrix(pattern_);
    for (int i = 0; i < pattern_.rows(); ++i) matrix.add_diagonal(i, weight_);
    return matrix;
  }
  double inertia_weight() const override { return 1; }

 private:
  double weight_;
  BlockPattern pattern_;
};

TEST(Solver, ForgetsWhatItKnowsOfUnknownsThatAreNoMore) {
  Solver solver({.method = "lbfgs", .tolerance = 1e-9});
  for (const int blocks : {2, 5, 3}) {
    Quadratic f(blocks, 10.0 * blocks);
    const auto [outcome, x] = testing::solve(solver, f, {Vector::Zero(3 * blocks)});
    EXPECT_EQ(outcome.status, Status::converged);
    EXPECT_LE(outcome.iterations, 2) << "its constant matrix is the Hessian, factored in single precision";
    EXPECT_LT((x - Vector::Ones(3 * blocks)).norm(), 1e-6);
  }
}

TEST(Solver, SaysWhatItsSafeguardsAre) {
  std::vector<std::string> names;
  for (const SolverMethod& kind : safeguard_kinds()) {
    names.emplace_back(kind.name);
    EXPECT_FALSE(kind.summary.empty()) << kind.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"guesses", "walls", "places", "rotations"}));
}

}  // namespace
}  // namespace pliant::solver_test
