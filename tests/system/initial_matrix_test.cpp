#include "pliant/minimize/initial_matrix.hpp"

#include "integrate/scenes.hpp"
#include "pliant/study/convergence.hpp"
#include "pliant/system/rotations.hpp"
#include "test_names.hpp"

namespace pliant::initial_matrix_test {
namespace {

using testing::Cube;
using testing::CubeOptions;

constexpr double kStep = 1.0 / 30;

/// A cube in a stretched state, `angle` about z.
struct Stretched {
  Cube cube;
  Stage stage;

  explicit Stretched(double angle,
                     const CubeOptions& options = {.cells = 3, .material = "neo-hookean", .young = 1e5})
      : cube(options) {
    const Mat3 turn = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
    for (Index i = 0; i < cube.state.x.size() / 3; ++i) {
      Vec3 x = cube.state.x.segment<3>(3 * i);
      x.x() *= 1.1;
      cube.state.x.segment<3>(3 * i) = turn * x;
    }
    BackwardEuler scheme(cube.model, {});
    stage = scheme.first_stage(cube.state, kStep);
  }
};

struct Start {
  std::string name;
  SolverOptions options;
};

std::vector<Start> starts() {
  std::vector<Start> all;
  const auto add = [&](const std::string& name, InitialHessian initial, int cg = 0,
                       CgPreconditioner with = CgPreconditioner::jacobi) {
    SolverOptions options{.method = "lbfgs", .tolerance = 1e-10, .max_iterations = 20000};
    options.cg_iterations = cg;
    options.lbfgs.initial = initial;
    options.lbfgs.preconditioner = with;
    all.push_back({name, options});
  };
  add("projective", InitialHessian::projective);
  add("projective-by-cg", InitialHessian::projective, 15);
  add("identity", InitialHessian::identity);
  add("rest", InitialHessian::rest);
  add("warped", InitialHessian::warped);
  add("start", InitialHessian::start);
  add("start-by-cg", InitialHessian::start, 15);
  add("start-by-cg-projective", InitialHessian::start, 15, CgPreconditioner::projective);
  add("start-by-cg-rest", InitialHessian::start, 15, CgPreconditioner::rest);
  return all;
}

class EveryStart : public ::testing::TestWithParam<Start> {};

TEST_P(EveryStart, LeadsToTheMinimumOfNewton) {
  Cube cube({.cells = 3, .material = "neo-hookean", .young = 1e4, .push = 0.2});
  const auto after = [&](const SolverOptions& options) {
    State state = cube.state;
    BackwardEuler scheme(cube.model, options);
    const StepReport report = scheme.step(state, kStep);
    EXPECT_TRUE(is_converged(report.outcome.status)) << name(report.outcome.status);
    return state.x;
  };
  const Vector newton = after({.method = "newton-cholesky", .tolerance = 1e-11});
  EXPECT_LT((after(GetParam().options) - newton).norm(), 1e-8 * newton.norm());
}

INSTANTIATE_TEST_SUITE_P(Starts, EveryStart, ::testing::ValuesIn(starts()),
                         [](const auto& made) { return testing::as_test_name(made.param.name); });

TEST(Lbfgs, WithStrongWolfeReachesTheSameMinimum) {
  Cube cube({.cells = 3, .material = "neo-hookean", .young = 1e4, .push = 0.2});
  const auto after = [&](bool wolfe) {
    SolverOptions options{.method = "lbfgs", .tolerance = 1e-10, .max_iterations = 3000};
    options.lbfgs.wolfe = wolfe;
    State state = cube.state;
    BackwardEuler(cube.model, options).step(state, kStep);
    return state.x;
  };
  EXPECT_LT((after(true) - after(false)).norm(), 1e-8 * after(true).norm());
}

/// liu-2018, table 7.1.
TEST(InitialMatrix, ProjectiveSeesNoRotationAndTheHessianAtRestDoes) {
  const Stretched as_it_is(0), turned(M_PI / 2);
  const auto condition = [](const Stretched& state, InitialHessian initial) {
    SolverOptions options{.method = "lbfgs"};
    options.lbfgs.initial = initial;
    return ConvergenceStudy(state.cube.model, state.stage).condition(options);
  };
  const double projective = condition(as_it_is, InitialHessian::projective);
  EXPECT_NEAR(condition(turned, InitialHessian::projective), projective, 1e-3 * projective);
  EXPECT_GT(condition(turned, InitialHessian::rest), 3 * condition(as_it_is, InitialHessian::rest));
  EXPECT_LT(condition(as_it_is, InitialHessian::rest), projective);
  EXPECT_NEAR(condition(turned, InitialHessian::warped), condition(as_it_is, InitialHessian::warped), 1e-3);
  EXPECT_NEAR(condition(turned, InitialHessian::start), 1, 1e-6);
}

TEST(NeighbourhoodRotations, AreThatOfARigidMotion) {
  const Cube cube({.cells = 2});
  const Mat3 turn = Eigen::AngleAxisd(1.2, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  Vector x = cube.state.x;
  for (Index i = 0; i < x.size() / 3; ++i) x.segment<3>(3 * i) = turn * x.segment<3>(3 * i) + Vec3(1, 2, 3);
  for (const Mat3& found : neighbourhood_rotations(cube.model.pattern, cube.state.x, x))
    EXPECT_LT((found - turn).norm(), 1e-12);
}

TEST(ConvergenceStudy, SeesNewtonEndAndOthersComeCloser) {
  const Stretched state(0.5);
  ConvergenceStudy study(state.cube.model, state.stage);
  const Convergence newton = study.of({.method = "newton-cholesky"}, 20);
  const Convergence quasi = study.of({.method = "lbfgs"}, 100);
  EXPECT_LT(std::abs(newton.points.back().error), 1e-12);
  EXPECT_EQ(quasi.points.front().iterations, 0);
  for (size_t i = 1; i < quasi.points.size(); ++i) {
    EXPECT_LE(quasi.points[i].error, quasi.points[i - 1].error + 1e-13);
    EXPECT_GT(quasi.points[i].iterations, quasi.points[i - 1].iterations);
    EXPECT_GE(quasi.points[i].seconds, quasi.points[i - 1].seconds);
  }
  EXPECT_LT(quasi.points.back().error, 1e-6);
}

TEST(ConvergenceStudy, KeepsTheIterationsThatTablesAskFor) {
  const std::vector<int> kept = kept_iterations(1000);
  for (const int wanted : {0, 1, 2, 10, 100, 1000})
    EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), wanted)) << wanted;
  EXPECT_LT(kept.size(), 60U);
}

}  // namespace
}  // namespace pliant::initial_matrix_test
