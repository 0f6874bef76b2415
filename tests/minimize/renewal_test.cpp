// Problems in which something lags behind: held fixed within a descent, it is another one after it.
#include "minimize/analytic.hpp"
#include "minimize/on_host.hpp"

namespace pliant::renewal_test {
namespace {

/// |x - target|^2 / 2 - f.x with a force f that is `share` times the x of the descent before, so that x ends
/// at target / (1 - share).
class Lagged final : public testing::Analytic {
 public:
  explicit Lagged(double share) : Lagged(share, std::make_shared<Vector>(Vector::Zero(3))) {}

  bool renew(const Field& x) override {
    ++asked;
    const Vector next = share_ * x.host();
    if ((next - *force_).norm() < 1e-10) return false;
    *force_ = next;
    return true;
  }

  static Vector target() { return Vec3(1, -2, 3); }
  int asked = 0;

 private:
  Lagged(double share, const std::shared_ptr<Vector>& force)
      : Analytic(
            1, [force](const Vector& x) { return 0.5 * (x - target()).squaredNorm() - force->dot(x); },
            [force](const Vector& x) { return Vector(x - target() - *force); },
            [](const Vector&) { return Eigen::MatrixXd(Mat3::Identity()); }),
        share_(share),
        force_(force) {}

  double share_;
  std::shared_ptr<Vector> force_;
};

testing::Solved solved(Lagged& f, const SolverOptions& options) {
  Solver solver(options);
  return testing::solve(solver, f, {Vector::Zero(3)});
}

TEST(Renewal, DescentsGoOnUntilItSettles) {
  for (const std::string method : {"newton-cg", "newton-cholesky", "gradient"}) {
    Lagged f(0.5);
    const auto [outcome, x] = solved(f, {.method = method, .tolerance = 1e-9});
    EXPECT_EQ(outcome.status, Status::converged) << method;
    EXPECT_LT((x - 2 * Lagged::target()).norm(), 1e-9) << method;
    EXPECT_GT(f.asked, 30) << method;
    EXPECT_GE(outcome.iterations, f.asked) << "each descent counts";
    EXPECT_GE(outcome.evaluations, 2 * f.asked);
  }
}

TEST(Renewal, EndsAtOnceWhereNothingLags) {
  Lagged f(0);
  const auto [outcome, x] = solved(f, {.tolerance = 1e-9});
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_EQ(outcome.iterations, 1);
  EXPECT_EQ(f.asked, 1);
}

TEST(Renewal, GivesTheIterationLimitWhereItNeverSettles) {
  Lagged f(-1);  // back and forth between the target and zero
  const auto [outcome, x] = solved(f, {.tolerance = 1e-9, .max_iterations = 40});
  EXPECT_EQ(outcome.status, Status::iteration_limit);
  EXPECT_EQ(outcome.iterations, 40);
  EXPECT_TRUE(x.allFinite());
}

TEST(Renewal, IsNotAskedOfADescentThatHasNotEnded) {
  Lagged as_asked(0.5), limited(0.5);
  as_asked.longest = limited.longest = 0.01;  // that it takes more than one iteration
  EXPECT_EQ(solved(as_asked, {.tolerance = 1e-300, .iterations = 1}).outcome.status, Status::as_asked);
  EXPECT_EQ(as_asked.asked, 0);
  EXPECT_EQ(solved(limited, {.tolerance = 1e-300, .max_iterations = 1}).outcome.status,
            Status::iteration_limit);
  EXPECT_EQ(limited.asked, 0);
}

}  // namespace
}  // namespace pliant::renewal_test
