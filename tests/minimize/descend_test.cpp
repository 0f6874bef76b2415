#include "pliant/minimize/descend.hpp"

#include "minimize/analytic.hpp"
#include "minimize/on_host.hpp"
#include "pliant/minimize/directions.hpp"
#include "pliant/minimize/line_searches.hpp"

namespace pliant::descend_test {
namespace {

using testing::Analytic;
using testing::descend;

Outcome minimise(Objective& f, const std::string& method, Vector& x,
                 DescentOptions options = {.tolerance = 1e-9}) {
  StrongWolfe wolfe;
  UnitStep unit;
  NewtonCg cg(1);
  NewtonCholesky cholesky;
  NewtonMinres minres(1);
  NewtonRoot root;
  SteepestDescent gradient;
  if (method == "newton-cg") return descend(f, cg, wolfe, options, x);
  if (method == "newton-cholesky") return descend(f, cholesky, wolfe, options, x);
  if (method == "newton-minres") return descend(f, minres, wolfe, options, x);
  if (method == "gradient") return descend(f, gradient, wolfe, options, x);
  options.checks = false;
  return descend(f, root, unit, options, x);
}

TEST(Descend, EveryNewtonFindsTheEndOfACurvedValley) {
  for (const std::string method : {"newton-cg", "newton-cholesky", "newton-minres"}) {
    Analytic f = testing::rosenbrock(4);
    Vector x = Vector::Constant(12, -1.2);
    const Outcome outcome = minimise(f, method, x);
    EXPECT_EQ(outcome.status, Status::converged) << method;
    EXPECT_LT((x - Vector::Ones(12)).norm(), 1e-8) << method;
  }
}

TEST(Descend, SteepestDescentMeetsTheSameMinimumAsNewton) {
  Analytic f = testing::barrier(2);
  for (const std::string method : {"newton-cg", "newton-cholesky", "newton-minres", "gradient"}) {
    Vector x = Vector::LinSpaced(6, 0.3, 2);
    EXPECT_EQ(minimise(f, method, x).status, Status::converged) << method;
    EXPECT_LT((x - Vector::Ones(6)).norm(), 1e-7) << method;
  }
}

TEST(Descend, ConvergesFasterThanLinearlyNearTheMinimum) {
  Analytic f = testing::barrier(2);
  Vector x = Vector::Constant(6, 1.1);
  EXPECT_LE(minimise(f, "newton-cg", x).iterations, 7);
}

TEST(Descend, LeavesAMaximumThatRootFindingIsDrawnTo) {
  Analytic f = testing::double_well(2);
  Vector x = Vector::Constant(6, 0.2);
  EXPECT_EQ(minimise(f, "newton-cg", x).status, Status::converged);
  EXPECT_LT((x - Vector::Ones(6)).norm(), 1e-6);
  x = Vector::Constant(6, 0.2);
  EXPECT_EQ(minimise(f, "newton-plain", x).status, Status::converged);
  EXPECT_LT(x.norm(), 1e-6);
}

TEST(Descend, FactorisationMakesAnIndefiniteMatrixDefinite) {
  Analytic f = testing::double_well(2);
  Vector x = Vector::Constant(6, 0.2);
  const Outcome outcome = minimise(f, "newton-cholesky", x);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_GT(outcome.indefinite, 0);
  EXPECT_LT((x - Vector::Ones(6)).norm(), 1e-6);
}

TEST(Descend, TurnsAnUphillStepOfMinresRound) {
  Analytic f = testing::double_well(2);
  Vector x = Vector::Constant(6, 0.2);  // the Newton step leads to the maximum at the origin
  const Outcome outcome = minimise(f, "newton-minres", x);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_GT(outcome.indefinite, 0);
  EXPECT_EQ(outcome.fallbacks, 0);
  EXPECT_LT((x - Vector::Ones(6)).norm(), 1e-6);
}

TEST(Descend, MinresLeavesASaddleWhereItsStepIsAcrossTheSlope) {
  // Equally steep up and down: the Newton step is perpendicular to the gradient.
  Analytic f(
      1,
      [](const Vector& x) {
        return 0.25 * std::pow(x[0] * x[0] - 1, 2) + 0.5 * x[1] * x[1] + 0.5 * x[2] * x[2];
      },
      [](const Vector& x) { return Vector(Vec3(x[0] * (x[0] * x[0] - 1), x[1], x[2])); },
      [](const Vector& x) { return Eigen::MatrixXd(Vec3(3 * x[0] * x[0] - 1, 1, 1).asDiagonal()); });
  const double a = 0.1, slope = a * (1 - a * a);
  Vector x = Vec3(a, std::sqrt(slope * slope / (1 - 3 * a * a)), 0);
  const Outcome outcome = minimise(f, "newton-minres", x, {.tolerance = 1e-9});
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_GT(outcome.fallbacks, 0);
  EXPECT_LT((x - Vec3(1, 0, 0)).norm(), 1e-6);
}

TEST(Descend, BacksOffFromInfinity) {
  Analytic f = testing::barrier(1);
  Vector x = Vector::Constant(3, 3.0);  // the full Newton step leads to -3
  const Outcome outcome = minimise(f, "newton-cg", x);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_LT((x - Vector::Ones(3)).norm(), 1e-7);
}

TEST(Descend, TakesOneIterationEvenWhereTheGuessPasses) {
  Analytic f = testing::barrier(1);
  Vector x = Vector::Constant(3, 1 + 1e-6);
  EXPECT_EQ(minimise(f, "newton-cg", x, {.tolerance = 1e-3}).iterations, 1);
  EXPECT_LT((x - Vector::Ones(3)).norm(), 1e-7);
}

TEST(Descend, SaysWhenTheLimitEndsIt) {
  Analytic f = testing::rosenbrock(4);
  Vector x = Vector::Constant(12, -1.2);
  EXPECT_EQ(minimise(f, "newton-cg", x, {.tolerance = 1e-9, .max_iterations = 2}).status,
            Status::iteration_limit);
}

TEST(Descend, KeepsTheLastFinitePointWhenTheFunctionEnds) {
  Analytic f = testing::barrier(1);
  Vector x = Vector::Constant(3, 3.0);
  EXPECT_EQ(minimise(f, "newton-plain", x).status, Status::not_finite);
  EXPECT_EQ(x, Vector::Constant(3, 3.0));
}

TEST(Descend, SaysNotFiniteWhereTheStartIsInfinite) {
  Analytic f = testing::barrier(1);
  Vector x = Vector::Constant(3, -1);
  EXPECT_EQ(minimise(f, "newton-cg", x).status, Status::not_finite);
}

TEST(Descend, EndsAtRoundoffWhenAskedForMoreThanThereIs) {
  // The minima are no doubles: the gradient stays at roundoff.
  Analytic f(
      2, [](const Vector& x) { return 0.25 * (x.array().square() - 2).square().sum() + x.sum(); },
      [](const Vector& x) { return Vector(x.array() * (x.array().square() - 2) + 1); },
      [](const Vector& x) { return Eigen::MatrixXd((3 * x.array().square() - 2).matrix().asDiagonal()); });
  Vector x = Vector::LinSpaced(6, 1.5, 3);
  const Outcome outcome = minimise(f, "newton-cg", x, {.tolerance = 1e-300, .max_iterations = 200});
  EXPECT_TRUE(is_converged(outcome.status)) << name(outcome.status);
  EXPECT_LT(outcome.residual, 1e-14);
}

TEST(Descend, SaysStalledInACrease) {
  // Along x_1 = 0 no gradient vanishes, and no lower point is found from next to it; that is no roundoff.
  Analytic f(
      1, [](const Vector& x) { return 0.5 * x[0] * x[0] + 10 * std::abs(x[1]) + 5; },
      [](const Vector& x) { return Vector(Vec3(x[0], std::copysign(10, x[1]), 0)); },
      [](const Vector&) { return Eigen::MatrixXd(Mat3::Identity()); });
  for (const double aside : {1.0, 1e-3, 1e-17}) {
    Vector x = Vec3(0, aside, 0);
    const Outcome outcome = minimise(f, "newton-cg", x);
    EXPECT_EQ(outcome.status, Status::stalled) << aside;
    EXPECT_LT(std::abs(x[1]), 1e-10) << aside;
  }
}

TEST(Descend, DoesNotBlameRoundoffWhereItDrownsTheInertia) {
  // A wall so steep that the last digit of x may change the gradient by anything, and that rises both ways.
  constexpr double kSteep = 1e40;
  Analytic f(
      1, [](const Vector& x) { return kSteep * std::abs(x[0] - 1) + 1; },
      [](const Vector& x) { return Vector(Vec3(std::copysign(kSteep, x[0] - 1), 0, 0)); },
      [](const Vector&) { return Eigen::MatrixXd(Vec3(1e60, 1, 1).asDiagonal()); });
  Vector x = Vec3(1, 0, 0);
  EXPECT_EQ(minimise(f, "newton-cg", x).status, Status::stalled);
}

TEST(Descend, FollowsTheGradientWhereValuesAreNoisierThanTheySay) {
  // The values of an element under stress lose more digits than their size tells; slopes keep theirs.
  constexpr double kNoise = 1e-11;
  Analytic f(
      2, [](const Vector& x) { return 1 + 0.5 * x.squaredNorm() + kNoise * std::sin(1e12 * x.sum() + 1); },
      [](const Vector& x) { return x; }, [](const Vector&) { return Eigen::MatrixXd::Identity(6, 6); });
  Vector x = Vector::LinSpaced(6, 1e-7, 2e-7);
  EXPECT_EQ(minimise(f, "newton-cg", x).status, Status::converged);
  EXPECT_LT(x.norm(), 1e-9);
}

/// A quadratic over the half space x_0 >= 1, as in gast-2014, section 3.2.
class HalfSpace final : public Analytic, public FeasibleSet {
 public:
  explicit HalfSpace(Vec3 target)
      : Analytic(
            1, [target](const Vector& x) { return 0.5 * (x - target).squaredNorm(); },
            [target](const Vector& x) { return Vector(x - target); },
            [](const Vector&) { return Eigen::MatrixXd(Mat3::Identity()); }) {}

  Renewal begin_iteration(const Field& x, Field& gradient) override {
    active_ = x.host()[0] == 1 && gradient.host()[0] >= 0;
    restrict(gradient);
    return {};
  }
  void project(Field& x) override {
    held_ = active_ || x.host()[0] < 1;
    if (held_) x.host()[0] = 1;
  }
  void restrict(Field& gradient) const override {
    if (active_) gradient.host()[0] = 0;
  }
  double slope(const Field& gradient, const Field& step) const override {
    return dot(gradient, step) - (held_ ? gradient.host()[0] * step.host()[0] : 0);
  }

 private:
  bool active_ = false, held_ = false;
};

TEST(Descend, StopsOnTheEdgeOfTheFeasibleSet) {
  HalfSpace f(Vec3(0, 5, -2));
  Vector x = Vec3(4, 0, 0);
  EXPECT_EQ(minimise(f, "newton-cg", x).status, Status::converged);
  EXPECT_LT((x - Vec3(1, 5, -2)).norm(), 1e-8);
}

TEST(Descend, LeavesTheEdgeWhereTheMinimumIsInside) {
  HalfSpace f(Vec3(3, 5, -2));
  Vector x = Vec3(-7, 0, 0);
  EXPECT_EQ(minimise(f, "newton-cg", x).status, Status::converged);
  EXPECT_LT((x - Vec3(3, 5, -2)).norm(), 1e-8);
}

}  // namespace
}  // namespace pliant::descend_test
