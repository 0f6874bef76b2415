#include "pliant/study/convergence.hpp"

#include "integrate/scenes.hpp"

namespace pliant::convergence_test {
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
}  // namespace pliant::convergence_test
