#include "pliant/minimize/directions.hpp"

#include "meshes.hpp"
#include "minimize/analytic.hpp"
#include "minimize/on_host.hpp"

namespace pliant::directions_test {
namespace {

/// A quadratic whose curvatures spread over four decades, mixed so that no block of the diagonal shows them.
struct Stretched {
  static constexpr int kBlocks = 20;
  Eigen::MatrixXd A;
  testing::Analytic f;

  Stretched()
      : A(matrix()),
        f(
            kBlocks, [this](const Vector& x) { return 0.5 * x.dot(A * x); },
            [this](const Vector& x) { return Vector(A * x); }, [this](const Vector&) { return A; }) {}

  static Eigen::MatrixXd matrix() {
    const Index n = 3 * kBlocks;
    const Vector entries = testing::random_vector(n * n, 5);
    const Eigen::MatrixXd Q =
        Eigen::HouseholderQR<Eigen::MatrixXd>(Eigen::Map<const Eigen::MatrixXd>(entries.data(), n, n))
            .householderQ();
    return Q * Vector(Vector::LinSpaced(n, -2, 2).unaryExpr([](double e) {
                 return std::pow(10, e);
               })).asDiagonal() *
           Q.transpose();
  }
};

struct Solved {
  double error;  ///< of the linear system, relative, in the norm of the inverse preconditioner
  int iterations;
};

template <class Newton>
Solved solve(double sigma, double residual, double tolerance, int iteration = 1) {
  Stretched s;
  const Vector x = testing::random_vector(s.A.rows(), 6), gradient = s.A * x;
  Newton direction(sigma);
  Vector step, z;
  const DirectionReport report =
      testing::compute(direction, s.f, {x, gradient, residual, tolerance, iteration}, step);
  const auto norm = [&](const Vector& r) {
    testing::solve(direction.preconditioner(), r, z);
    return std::sqrt(r.dot(z));
  };
  return {norm(s.A * step + gradient) / norm(gradient), report.cg_iterations};
}

template <class Newton>
class TruncatedNewton : public ::testing::Test {};
using TruncatedNewtons = ::testing::Types<NewtonCg, NewtonMinres>;
TYPED_TEST_SUITE(TruncatedNewton, TruncatedNewtons);

TYPED_TEST(TruncatedNewton, SolvesAsExactlyAsTheResidualDeservesAndHardlyMore) {
  for (const double residual : {1e-1, 1e-2, 1e-4}) {
    const double deserved = 0.7 * std::sqrt(residual);
    const double error = solve<TypeParam>(0.7, residual, 1e-6).error;
    EXPECT_LE(error, deserved) << residual;
    EXPECT_GT(error, 0.2 * deserved) << residual;
  }
}

TYPED_TEST(TruncatedNewton, NeverSolvesMoreExactlyThanTheStoppingToleranceDeserves) {
  const Solved at_tolerance = solve<TypeParam>(1, 1e-4, 1e-4), far_below = solve<TypeParam>(1, 1e-12, 1e-4);
  EXPECT_EQ(far_below.iterations, at_tolerance.iterations);
  EXPECT_EQ(far_below.error, at_tolerance.error);
  EXPECT_GT(solve<TypeParam>(1, 1e-12, 1e-8).iterations, at_tolerance.iterations);
}

TYPED_TEST(TruncatedNewton, SolvesToAHalfHoweverFarTheMinimumIs) {
  const Solved far = solve<TypeParam>(1, 1e6, 1e-3), at_the_bound = solve<TypeParam>(1, 0.25, 1e-3);
  EXPECT_LE(far.error, 0.5);
  EXPECT_EQ(far.iterations, at_the_bound.iterations);
}

/// A double well, where it curves down along some unknowns and up along others.
class BetweenWells : public ::testing::Test {
 protected:
  BetweenWells() { f_.evaluate(x_, &gradient_); }

  DirectionReport compute(Direction& direction, int iteration) {
    return testing::compute(direction, f_, {x_, gradient_, 1, 1e-3, iteration}, step_);
  }

  testing::Analytic f_ = testing::double_well(2);
  Vector x_ = Vector::LinSpaced(6, 0.1, 1.2);
  Vector gradient_, step_;
};

TEST_F(BetweenWells, TheTruncatedDirectionIsTheLastIterateAsInThePaper) {
  NewtonCg direction(1, Indefinite::truncate);
  const DirectionReport report = compute(direction, 1);
  EXPECT_TRUE(report.indefinite);
  EXPECT_FALSE(report.downhill);
  EXPECT_EQ(report.linear_solves, 1);
  const BlockMatrix& H = f_.hessian(x_, Definiteness::none);
  const BlockJacobi jacobi = testing::jacobi_of(H, f_.metric().host());
  ConjugateGradient cg;
  Vector expected;
  EXPECT_TRUE(testing::solve(cg, H, jacobi, -gradient_, 0.5, expected).indefinite);
  EXPECT_EQ(step_, expected);
}

TEST_F(BetweenWells, TheProjectedDirectionSolvesWithADefiniteMatrix) {
  NewtonCg direction(1e-3);
  const DirectionReport report = compute(direction, 1);
  EXPECT_TRUE(report.indefinite);
  EXPECT_TRUE(report.downhill);
  Vector product;
  f_.hessian(x_, Definiteness::clamp).multiply(step_, product);
  EXPECT_LT((product + gradient_).norm(), 1e-2 * gradient_.norm());
}

TEST_F(BetweenWells, TheIndefiniteHessianIsLookedAtAgainEveryEighthIterationAndInANewDescent) {
  NewtonCg direction(1);
  for (const int iteration : {1, 2, 7, 8, 9, 1})
    EXPECT_EQ(compute(direction, iteration).linear_solves, iteration == 1 || iteration == 8 ? 2 : 1);
}

TEST_F(BetweenWells, WhereDescentsCreepStepsCutShortLetNegativeCurvaturesCountWithTheirSizes) {
  NewtonCg direction(1);
  EXPECT_GT(compute(direction, 1).cg_iterations, 0);
  for (const int iteration : {51, 52, 53}) {
    const DirectionReport report =
        testing::compute(direction, f_, {x_, gradient_, 1, 1e-3, iteration, 0, 0.1}, step_);
    EXPECT_EQ(report.cg_iterations, 0);
    EXPECT_TRUE(report.downhill);
  }
  const Vector sizes = (3 * x_.array().square() - 1).abs();
  EXPECT_LT((step_ + gradient_.cwiseQuotient(sizes)).norm(), 1e-6 * step_.norm());
  EXPECT_GT(compute(direction, 1).cg_iterations, 0) << "a new descent";
}

TEST_F(BetweenWells, WhereDescentsCreepLongStepsEndAtElementsMadeDefiniteAndNoStifferMatrix) {
  NewtonBlended direction;
  Vector product;
  for (const int iteration : {1, 2, 3}) {
    const DirectionReport report =
        testing::compute(direction, f_, {x_, gradient_, 1, 1e-3, iteration, 0, /*length=*/1}, step_);
    EXPECT_TRUE(report.downhill);
    EXPECT_EQ(report.linear_solves, 2) << "less of it is not enough";
    f_.hessian(x_, Definiteness::clamp).multiply(step_, product);
    EXPECT_LT((product + gradient_).norm(), 1e-9 * gradient_.norm());
  }
}

/// A bowl whose elements are far from definite, although together they are.
class Balanced : public testing::Analytic {
 public:
  Balanced() : Analytic(testing::double_well(2)) {}
  using Analytic::hessian;
  const Operator& hessian(const Field& x, Definiteness definiteness) override {
    stiff_ = *Analytic::hessian(x, definiteness).assembled();
    if (definiteness != Definiteness::none) stiff_.add_diagonal(Vector::Constant(size(), 1e4));
    return stiff_;
  }

 private:
  BlockMatrix stiff_;
};

TEST(NewtonBlended, ComesToNewtonsDirectionWhereElementsMadeDefiniteAreTooStiff) {
  Balanced f;
  const Vector x = Vector::LinSpaced(6, 0.8, 1.2);
  Vector gradient, step, product;
  f.evaluate(x, &gradient);
  NewtonBlended direction;
  constexpr int kEnough = 20;
  for (int i = 1; i <= kEnough; ++i) testing::compute(direction, f, {x, gradient, 1, 1e-3, i}, step);
  f.hessian(x, Definiteness::none).multiply(step, product);
  EXPECT_LT((product + gradient).norm(), 1e-9 * gradient.norm());
}

/// The part that is left out to make it definite has eigenvalues of both signs, as that of hinges has.
class Hinged : public testing::Analytic {
 public:
  Hinged() : Analytic(testing::double_well(2)) {}
  using Analytic::hessian;
  const Operator& hessian(const Field& x, Definiteness definiteness) override {
    matrix_ = *Analytic::hessian(x, Definiteness::none).assembled();
    matrix_.set_zero();
    Vector diagonal = Vector::Ones(size());
    if (definiteness == Definiteness::none)
      for (Index d = 0; d < size(); ++d) diagonal[d] += d % 2 ? 3 : -3;
    matrix_.add_diagonal(diagonal);
    return matrix_;
  }

 private:
  BlockMatrix matrix_;
};

TEST(NewtonBlended, TakesElementsMadeDefiniteWhereMoreOfItIsNotBetter) {
  Hinged f;
  const Vector x = Vector::LinSpaced(6, 0.8, 1.2);
  Vector gradient, step;
  f.evaluate(x, &gradient);
  NewtonBlended direction;
  for (const int iteration : {1, 2, 3}) {
    const DirectionReport report =
        testing::compute(direction, f, {x, gradient, 1, 1e-3, iteration, 0, /*length=*/0.1}, step);
    EXPECT_TRUE(report.downhill);
    EXPECT_FALSE(report.failed);
    EXPECT_LT((step + gradient).norm(), 1e-12 * gradient.norm());
  }
}

TEST_F(BetweenWells, TikhonovAddsToTheDiagonalUntilTheMatrixIsDefinite) {
  NewtonTikhonov direction;
  const DirectionReport report = compute(direction, 1);
  EXPECT_TRUE(report.indefinite);
  EXPECT_TRUE(report.downhill);
  EXPECT_FALSE(report.failed);
  EXPECT_GT(report.linear_solves, 1);
  // Nothing, then 1e-4 of the mean diagonal, then ten times as much each time.
  const Eigen::ArrayXd H = 3 * x_.array().square() - 1;
  const double shift = 1e-4 * H.mean() * std::pow(10, report.linear_solves - 2);
  EXPECT_GT(H.minCoeff() + shift, 0);
  EXPECT_LT(H.minCoeff() + shift / 10, 0) << "less would not have done";
  EXPECT_LT((step_ + Vector(gradient_.array() / (H + shift))).norm(), 1e-10 * step_.norm());
}

TEST_F(BetweenWells, TikhonovAddsNothingWhereTheMatrixIsDefinite) {
  x_ = Vector::LinSpaced(6, 0.8, 1.4);
  f_.evaluate(x_, &gradient_);
  NewtonTikhonov direction;
  const DirectionReport report = compute(direction, 1);
  EXPECT_FALSE(report.indefinite);
  EXPECT_EQ(report.linear_solves, 1);
  const Vector newton = -gradient_.array() / (3 * x_.array().square() - 1);
  EXPECT_LT((step_ - newton).norm(), 1e-12 * newton.norm());
}

TEST_F(BetweenWells, ProjectedDirectionsGatherSpeed) {
  NewtonCg direction(1e-3);
  compute(direction, 1);
  const Vector first = step_;
  // A little further down along the step the gradient is still much the same, and so is Newton's direction.
  x_ += 0.05 * first;
  f_.evaluate(x_, &gradient_);
  compute(direction, 2);
  NewtonCg fresh(1e-3);
  const Vector gathered = step_;
  compute(fresh, 1);
  EXPECT_NE(gathered, step_);
  EXPECT_LT(gradient_.dot(gathered), 0);
}

}  // namespace
}  // namespace pliant::directions_test
