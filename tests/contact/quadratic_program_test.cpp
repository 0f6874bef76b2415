#include "pliant/contact/quadratic_program.hpp"

#include "contact/programs.hpp"

namespace pliant::quadratic_program_test {
namespace {

using testing::Program;
using testing::random_vector;

/// Tries every set of active bounds.
Vector by_trying_all(const Program& program) {
  const Eigen::MatrixXd C = program.dense(), G = program.G();
  const Vector least = program.least();
  const Index m = G.rows(), n = C.rows();
  for (unsigned set = 0; set < 1u << m; ++set) {
    std::vector<Index> active;
    for (Index r = 0; r < m; ++r)
      if (set >> r & 1) active.push_back(r);
    const Index a = std::ssize(active);
    Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + a, n + a);
    Vector rhs(n + a);
    system.topLeftCorner(n, n) = C;
    rhs.head(n) = program.c;
    for (Index k = 0; k < a; ++k) {
      system.block(n + k, 0, 1, n) = G.row(active[k]);
      system.block(0, n + k, n, 1) = -G.row(active[k]).transpose();
      rhs[n + k] = least[active[k]];
    }
    const Vector answer = system.fullPivLu().solve(rhs);
    if ((system * answer - rhs).norm() > 1e-8 * rhs.norm()) continue;
    if (a > 0 && answer.tail(a).minCoeff() < -1e-9) continue;
    if ((G * answer.head(n) - least).minCoeff() < -1e-9) continue;
    return answer.head(n);
  }
  ADD_FAILURE() << "no answer";
  return {};
}

TEST(QuadraticProgram, FindsWhatTryingAllActiveSetsFinds) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Program program;
    program.add_random(7, seed);
    const Vector expected = by_trying_all(program);
    Vector v = Vector::Zero(program.size()), multipliers;
    const ProgramReport report = program.solve(v, multipliers);
    EXPECT_EQ(report.status, ProgramReport::Status::solved) << seed;
    EXPECT_LT((v - expected).norm(), 1e-6 * expected.norm()) << seed;
    // The conditions of a minimum.
    Vector left;
    program.C.multiply(v, left);
    left -= program.c + program.G().transpose() * multipliers;
    EXPECT_LT(left.norm(), 1e-6 * program.c.norm()) << seed;
    EXPECT_GE(multipliers.minCoeff(), 0) << seed;
    EXPECT_GE((program.G() * v - program.least()).minCoeff(), -1e-7) << seed;
  }
}

TEST(QuadraticProgram, OfNumbersThatAreNoneIsNotSolved) {
  Program program;
  program.add_random(7, 1);
  program.c[0] = std::numeric_limits<double>::quiet_NaN();
  Vector v = Vector::Zero(program.size()), multipliers;
  EXPECT_NE(program.solve(v, multipliers).status, ProgramReport::Status::solved);
}

TEST(QuadraticProgram, SplitsItsWayToTheSameAnswer) {
  int solved = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    Program program;
    program.add_random(12, seed);
    Vector v, split, multipliers, of_split;
    if (program.solve(v, multipliers).status != ProgramReport::Status::solved) continue;
    ++solved;
    const ProgramReport report = program.solve(split, of_split, {.tolerance = 1e-9, .exact = false});
    EXPECT_EQ(report.status, ProgramReport::Status::solved) << seed;
    EXPECT_GT(report.iterations, 0);
    EXPECT_FALSE(report.polished);
    EXPECT_LT((v - split).norm(), 1e-5 * v.norm()) << seed;
  }
  EXPECT_GT(solved, 25);  // the others have none
}

TEST(QuadraticProgram, FindsAnAnswerWhereThereIsOne) {
  // More bounds than unknowns, all of which one velocity satisfies, most or a quarter of them with nothing to
  // spare.
  for (unsigned seed = 0; seed < 50; ++seed) {
    Program program;
    program.add_random(60, seed);
    const Vector known = random_vector(program.size(), 100 + seed), rows = program.G() * known;
    for (Index r = 0; r < rows.size(); ++r)
      program.bounds[static_cast<size_t>(r)].least =
          rows[r] - ((r % 4 == 0) == (seed % 2 == 1) ? 0.1 * std::abs(rows[r]) : 0);
    Vector v, multipliers;
    const ProgramReport report = program.solve(v, multipliers);
    EXPECT_EQ(report.status, ProgramReport::Status::solved) << seed;
    EXPECT_LT(report.iterations, 1000) << seed;
    EXPECT_GE((program.G() * v - program.least()).minCoeff(), -1e-5) << seed;
  }
}

TEST(QuadraticProgram, LeavesAPredictionThatTouchesNothing) {
  Program program;
  testing::BoundRow far;
  far.vertices[0] = 2;
  far.coefficients[0] = Vec3::UnitY();
  far.least = -100;
  program.bounds.push_back(far);
  Vector v = Vector::Zero(program.size()), multipliers;
  program.solve(v, multipliers);
  EXPECT_LT((v - random_vector(program.size(), 3)).norm(), 1e-9);
  EXPECT_EQ(multipliers[0], 0);
}

TEST(QuadraticProgram, BearsTheSameBoundManyTimes) {
  Program once;
  once.add_random(4, 11);
  Program often = once;
  for (int i = 0; i < 20; ++i) often.bounds.push_back(once.bounds[static_cast<size_t>(i % 4)]);
  Vector v = Vector::Zero(once.size()), w = v, multipliers;
  once.solve(v, multipliers);
  multipliers.resize(0);
  EXPECT_EQ(often.solve(w, multipliers).status, ProgramReport::Status::solved);
  EXPECT_LT((v - w).norm(), 1e-5 * v.norm());
}

TEST(QuadraticProgram, SaysWhereBoundsContradictEachOther) {
  Program program;
  testing::BoundRow up;
  up.vertices[0] = 1;
  up.coefficients[0] = Vec3::UnitY();
  up.least = 1;
  testing::BoundRow down = up;
  down.coefficients[0] = -Vec3::UnitY();
  program.bounds = {up, down};
  Vector v = Vector::Zero(program.size()), multipliers;
  EXPECT_EQ(program.solve(v, multipliers).status, ProgramReport::Status::infeasible);
  EXPECT_EQ(multipliers.size(), 2);
}

TEST(QuadraticProgram, SticksBelowTheLimitOfFrictionAndSlidesAtIt) {
  Program program;
  testing::BoundRow friction;
  friction.vertices[0] = 2;
  friction.coefficients[0] = 2 * Vec3::UnitX();
  friction.least = 0.1;
  const auto solve = [&](double limit, double& impulse) {
    friction.limit = limit;
    program.bounds = {friction};
    Vector v = Vector::Zero(program.size()), multipliers;
    const ProgramReport report = program.solve(v, multipliers);
    EXPECT_EQ(report.status, ProgramReport::Status::solved);
    impulse = multipliers[0];
    Vector left;
    program.C.multiply(v, left);
    left -= program.c + program.G().transpose() * multipliers;
    EXPECT_LT(left.norm(), 1e-6 * program.c.norm());
    return 2 * v[6];
  };
  double sticking = 0, sliding = 0;
  EXPECT_NEAR(solve(1e6, sticking), 0.1, 1e-8);
  const double speed = solve(0.5 * std::abs(sticking), sliding);
  EXPECT_NEAR(std::abs(sliding), 0.5 * std::abs(sticking), 1e-6 * std::abs(sticking));
  EXPECT_LT((speed - 0.1) * sliding, 0);  // against the sliding
}

TEST(QuadraticProgram, SolvesAFaceAgainstAPlane) {
  Program program(6);
  const TetMesh mesh = testing::cube(6);
  for (int i = 0; i < std::ssize(mesh.vertices); ++i) {
    if (mesh.vertices[i].y() > -0.49) continue;
    testing::BoundRow bound;
    bound.vertices[0] = i;
    bound.coefficients[0] = Vec3::UnitY();
    program.bounds.push_back(bound);
  }
  ASSERT_EQ(program.bounds.size(), 49u);
  Vector v = Vector::Zero(program.size()), multipliers;
  const ProgramReport report = program.solve(v, multipliers);
  EXPECT_EQ(report.status, ProgramReport::Status::solved);
  EXPECT_LT(report.iterations, 1000);
  EXPECT_GE((program.G() * v).minCoeff(), -1e-7);
  EXPECT_GT(multipliers.maxCoeff(), 0);
  // A warm start finds it at once.
  const ProgramReport again = program.solve(v, multipliers);
  EXPECT_LE(again.iterations, report.iterations);
}

}  // namespace
}  // namespace pliant::quadratic_program_test
