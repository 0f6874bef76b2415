// What the descent does with directions that are too long, point the wrong way or do not come at all.

#include "minimize/analytic.hpp"
#include "minimize/on_host.hpp"
#include "pliant/minimize/directions.hpp"
#include "pliant/minimize/line_searches.hpp"

namespace pliant::safeguards_test {
namespace {

using testing::Analytic;
using testing::descend;

/// A direction by a formula, in the metric of the objective.
class Custom final : public Direction {
 public:
  using Formula = std::function<Vector(const Vector& x, const Vector& gradient)>;
  explicit Custom(Formula formula, bool failed = false) : formula_(std::move(formula)), failed_(failed) {}
  DirectionReport compute(Objective& objective, const DirectionQuery& query, Field& step) override {
    preconditioner_.assign(objective.metric());
    step = Field(formula_(query.x.host(), query.gradient.host()));
    DirectionReport report;
    report.failed = failed_;
    return report;
  }

 private:
  Formula formula_;
  bool failed_;
};

/// |x|^2 / 2, which writes down where it is asked.
Analytic bowl(int blocks, std::vector<Vector>* asked = nullptr) {
  return Analytic(
      blocks,
      [asked](const Vector& x) {
        if (asked) asked->push_back(x);
        return 0.5 * x.squaredNorm();
      },
      [](const Vector& x) { return x; },
      [blocks](const Vector&) { return Eigen::MatrixXd::Identity(3 * blocks, 3 * blocks); });
}

Outcome minimise(Objective& f, Direction& direction, Vector& x) {
  StrongWolfe wolfe;
  return descend(f, direction, wolfe, {.tolerance = 1e-9}, x);
}

TEST(Safeguards, ShortenAnEnormousStepToTheLongestAllowed) {
  std::vector<Vector> asked;
  Analytic f = bowl(2, &asked);
  f.longest = 0.5;
  Custom enormous([](const Vector&, const Vector& g) { return Vector(-1e9 * g); });
  const Vector start = (Vector(6) << 3, 4, 0, 0, 0, 1).finished();
  Vector x = start;
  EXPECT_EQ(minimise(f, enormous, x).status, Status::converged);
  // The first vertex, which would go furthest, goes 0.5; the other in proportion.
  ASSERT_GE(asked.size(), 2u);
  EXPECT_EQ(asked[0], start);
  EXPECT_LT((asked[1] - 0.9 * start).norm(), 1e-12);
}

TEST(Safeguards, LeaveAShortStepAlone) {
  std::vector<Vector> asked;
  Analytic f = bowl(1, &asked);
  f.longest = 10;
  Custom gradient([](const Vector&, const Vector& g) { return Vector(-g); });
  Vector x = Vec3(3, 4, 0);
  EXPECT_EQ(minimise(f, gradient, x).iterations, 1);
  EXPECT_EQ(asked[1], Vector::Zero(3));
}

/// Exactly the opposite of Newton's direction.
class Opposite final : public Direction {
 public:
  DirectionReport compute(Objective& objective, const DirectionQuery& query, Field& step) override {
    const DirectionReport report = newton_.compute(objective, query, step);
    preconditioner_ = newton_.preconditioner();
    negate(step, step);
    return report;
  }

 private:
  NewtonCholesky newton_;
};

TEST(Safeguards, TurnAroundAStepThatPointsUphill) {
  Analytic f = testing::barrier(2);
  const Vector start = Vector::LinSpaced(6, 0.3, 2);
  Vector x = start, y = start;
  NewtonCholesky newton;
  Opposite opposite;
  const Outcome outcome = minimise(f, opposite, x);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_EQ(outcome.fallbacks, 0);
  EXPECT_EQ(outcome.iterations, minimise(f, newton, y).iterations);
  EXPECT_EQ(x, y);
}

TEST(Safeguards, UseThePreconditionedGradientInsteadOfAStepSideways) {
  Analytic f = bowl(1);
  Custom sideways([](const Vector&, const Vector& g) { return Vector(Vec3(-g[1], g[0], 0)); });
  Vector x = Vec3(1, 2, 0);
  const Outcome outcome = minimise(f, sideways, x);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_EQ(outcome.fallbacks, outcome.iterations);
  EXPECT_EQ(outcome.linear_failures, 0);
}

TEST(Safeguards, KeepTheStepOfADefiniteMatrixWhateverItsAngle) {
  // Stiff across, soft along the diagonals: Newton's step is nearly perpendicular to the gradient.
  const Eigen::Matrix3d A = 1e8 * Eigen::Matrix3d::Identity() - (1e8 - 1) / 3 * Eigen::Matrix3d::Ones();
  Analytic f(
      1, [&](const Vector& x) { return 0.5 * x.dot(A * x); }, [&](const Vector& x) { return Vector(A * x); },
      [&](const Vector&) { return Eigen::MatrixXd(A); });
  NewtonCholesky newton;
  Vector x = Vec3(1 + 1e-6, 1, 1);
  const Outcome outcome = minimise(f, newton, x);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_EQ(outcome.fallbacks, 0);
  EXPECT_LE(outcome.iterations, 2);
}

TEST(Safeguards, UseThePreconditionedGradientWhereNoStepComes) {
  Analytic f = testing::barrier(2);
  Custom none([](const Vector& x, const Vector&) { return Vector(Vector::Zero(x.size())); }, /*failed=*/true);
  Vector x = Vector::LinSpaced(6, 0.3, 2);
  const Outcome outcome = minimise(f, none, x);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_LT((x - Vector::Ones(6)).norm(), 1e-7);
  EXPECT_GT(outcome.iterations, 1);
  EXPECT_EQ(outcome.fallbacks, outcome.iterations);
  EXPECT_EQ(outcome.linear_failures, outcome.iterations);
}

TEST(Safeguards, UseThePreconditionedGradientInsteadOfAStepThatIsNotFinite) {
  Analytic f = bowl(1);
  Custom broken([](const Vector& x, const Vector&) { return Vector(x * std::nan("")); });
  Vector x = Vec3(1, 2, 0);
  const Outcome outcome = minimise(f, broken, x);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_EQ(outcome.fallbacks, outcome.iterations);
}

TEST(Safeguards, TryThePreconditionedGradientWhereTheSearchAlongTheStepFails) {
  // In the crease y = 0 the gradient says nothing of the walls: a step that leaves the crease looks downhill
  // and rises at once.
  Analytic f(
      1, [](const Vector& x) { return 0.5 * x[0] * x[0] + 10 * std::abs(x[1]); },
      [](const Vector& x) { return Vector(Vec3(x[0], x[1] == 0 ? 0 : std::copysign(10, x[1]), 0)); },
      [](const Vector&) { return Eigen::MatrixXd(Mat3::Identity()); });
  Custom out_of_the_crease([](const Vector&, const Vector& g) { return Vector(Vec3(-g[0], 1, 0)); });
  Vector x = Vec3(1, 0, 0);
  const Outcome outcome = minimise(f, out_of_the_crease, x);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_EQ(outcome.iterations, 1);
  EXPECT_EQ(outcome.fallbacks, 1);
  EXPECT_LT(x.norm(), 1e-9);
}

/// By formulas, from the twenty-first iteration on.
class LateSafeguard final : public Safeguard {
 public:
  std::string_view name() const override { return "late"; }
  Proposal propose(int iterations, const SearchPoint& here, Field& x) override {
    if (iterations <= kLate || !move) return {};
    copy(here.x, x);
    move(x.host());
    return {.made = true, .linear_solves = 3};
  }
  void shape(int iterations, const SearchPoint&, Field& step) override {
    if (iterations <= kLate || !curve) return;
    ++shaped;
    curve(step.host());
  }

  std::function<void(Vector&)> move;   ///< to a point that may be lower
  std::function<void(Vector&)> curve;  ///< replaces a step
  int shaped = 0;

 private:
  static constexpr int kLate = 20;
};

/// A direction that goes a tenth of the way down a bowl.
Outcome with_short_steps(Safeguard* safeguard, bool checks = true) {
  Analytic f = bowl(1);
  Custom tenth([](const Vector&, const Vector& g) { return Vector(-0.1 * g); });
  UnitStep unit;
  Vector x = Vec3(3, 4, 12);
  DescentOptions options{.tolerance = 1e-9, .checks = checks};
  if (safeguard) options.safeguards = {&safeguard, 1};
  return descend(f, tenth, unit, options, x);
}

TEST(Safeguards, StepsAreTakenAsTheyShapeThem) {
  LateSafeguard safeguard;
  safeguard.curve = [](Vector& step) { step *= 10; };
  const Outcome outcome = with_short_steps(&safeguard);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_EQ(outcome.iterations, 21);  // the first step with a new shape leads to the minimum
  EXPECT_EQ(safeguard.shaped, 1);
}

TEST(Safeguards, APointProposedIsTakenWhereItIsLower) {
  LateSafeguard safeguard;
  safeguard.move = [](Vector& x) { x.setZero(); };
  const Outcome outcome = with_short_steps(&safeguard);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_EQ(outcome.iterations, 21);  // the minimum is found alone, and no further step is taken
  EXPECT_EQ(outcome.local_solves, 3);
}

TEST(Safeguards, AreAskedOnlyWhereThereAreChecks) {
  LateSafeguard safeguard;
  safeguard.move = [](Vector& x) { x.setZero(); };
  safeguard.curve = [](Vector& step) { step *= 10; };
  const Outcome outcome = with_short_steps(&safeguard, /*checks=*/false);
  EXPECT_GT(outcome.iterations, 100);
  EXPECT_EQ(outcome.iterations, with_short_steps(nullptr).iterations);
  EXPECT_EQ(outcome.local_solves, 0);
  EXPECT_EQ(safeguard.shaped, 0);
}

TEST(Safeguards, APointProposedThatIsHigherIsLeftAgain) {
  const Outcome plain = with_short_steps(nullptr);
  for (const double factor : {1.5, 1e200, std::numeric_limits<double>::quiet_NaN()}) {
    LateSafeguard safeguard;
    safeguard.move = [&](Vector& x) { x *= factor; };
    const Outcome outcome = with_short_steps(&safeguard);
    EXPECT_EQ(outcome.status, Status::converged);
    EXPECT_EQ(outcome.iterations, plain.iterations) << factor;
    EXPECT_EQ(outcome.residual, plain.residual) << factor;
    EXPECT_GT(outcome.local_solves, 3);
  }
}

}  // namespace
}  // namespace pliant::safeguards_test
