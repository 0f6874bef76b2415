#include "pliant/minimize/lbfgs.hpp"

#include "meshes.hpp"
#include "minimize/analytic.hpp"
#include "minimize/on_host.hpp"

namespace pliant::lbfgs_test {
namespace {

/// Starts from the identity and learns nothing by itself.
class Identity final : public InitialMatrix {
 public:
  bool begin(Objective&, const DirectionQuery&, DirectionReport&) override { return true; }
  void assign(Objective& objective, BlockJacobi& preconditioner) const override {
    preconditioner.assign(objective.metric());
  }
  void solve(const Field& b, Field& x, DirectionReport&) override { x = b; }
};

/// Of six unknowns.
struct Learner {
  testing::Analytic f = testing::double_well(2);
  Lbfgs lbfgs;
  Vector x = Vector::Zero(6), gradient = testing::random_vector(6, 1), step;

  explicit Learner(int window) : lbfgs(window, std::make_unique<Identity>()) { direction(1); }
  void learn(const Vector& s, const Vector& y) { testing::learn(lbfgs, s, Vector::Zero(6), y); }
  Vector direction(int iteration) {
    testing::compute(lbfgs, f, {x, gradient, 1, 1, iteration}, step);
    return step;
  }
};

/// B of the textbook, from the oldest pair to the latest (Nocedal and Wright 2006, Eq. 6.17).
Eigen::MatrixXd inverse_of(const std::vector<std::pair<Vector, Vector>>& pairs) {
  Eigen::MatrixXd B = Eigen::MatrixXd::Identity(6, 6);
  for (const auto& [s, y] : pairs) {
    const double rho = 1 / s.dot(y);
    const Eigen::MatrixXd V = Eigen::MatrixXd::Identity(6, 6) - rho * y * s.transpose();
    B = V.transpose() * B * V + rho * s * s.transpose();
  }
  return B;
}

/// Steps and changes of the gradient of a convex function.
std::vector<std::pair<Vector, Vector>> some_pairs(unsigned count) {
  std::vector<std::pair<Vector, Vector>> pairs;
  const Vector curvatures = Vector::LinSpaced(6, 0.5, 4);
  for (unsigned seed = 0; seed < count; ++seed) {
    const Vector s = testing::random_vector(6, 10 + seed);
    pairs.emplace_back(s, curvatures.cwiseProduct(s));
  }
  return pairs;
}

constexpr double kSingle = 1e-6;  ///< the precision in which pairs are kept

TEST(Lbfgs, IsTheTextbooksInverse) {
  Learner learner(5);
  const auto pairs = some_pairs(3);
  for (const auto& [s, y] : pairs) learner.learn(s, y);
  const Vector expected = -inverse_of(pairs) * learner.gradient;
  EXPECT_LT((learner.direction(2) - expected).norm(), kSingle * expected.norm());
}

TEST(Lbfgs, RemembersAsManyStepsAsItsWindowHas) {
  Learner learner(2);
  const auto pairs = some_pairs(4);
  for (const auto& [s, y] : pairs) learner.learn(s, y);
  const Vector expected = -inverse_of({pairs[2], pairs[3]}) * learner.gradient;
  EXPECT_LT((learner.direction(2) - expected).norm(), kSingle * expected.norm());
}

TEST(Lbfgs, LearnsNothingFromAStepWhoseCurvatureIsNotClearlyPositive) {
  const auto pairs = some_pairs(2);
  const Vector s = testing::random_vector(6, 30);
  Vector across = testing::random_vector(6, 31);
  across -= across.dot(s) / s.squaredNorm() * s;
  const auto after = [&](const Vector& y) {
    Learner learner(5);
    for (const auto& [step, change] : pairs) learner.learn(step, change);
    learner.learn(s, y);
    return learner.direction(2);
  };
  Learner learner(5);
  for (const auto& [step, change] : pairs) learner.learn(step, change);
  const Vector without = learner.direction(2);
  // A cosine of 1e-8 between step and change is the least that counts.
  const double part = across.norm() / s.norm();
  EXPECT_EQ(after(-s), without) << "it curves down";
  EXPECT_EQ(after(Vector::Zero(6)), without) << "nothing changed";
  EXPECT_EQ(after(across + 0.5e-8 * part * s), without);
  EXPECT_NE(after(across + 2e-8 * part * s), without);
}

TEST(Lbfgs, BeginsEveryDescentWithoutAMemory) {
  Learner learner(5);
  for (const auto& [s, y] : some_pairs(3)) learner.learn(s, y);
  EXPECT_NE(learner.direction(2), Vector(-learner.gradient));
  EXPECT_EQ(learner.direction(1), Vector(-learner.gradient));
}

}  // namespace
}  // namespace pliant::lbfgs_test
