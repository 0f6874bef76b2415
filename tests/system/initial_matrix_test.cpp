#include "pliant/minimize/initial_matrix.hpp"

#include "integrate/scenes.hpp"
#include "pliant/system/rotations.hpp"
#include "test_names.hpp"

namespace pliant::initial_matrix_test {
namespace {

using testing::Cube;

constexpr double kStep = 1.0 / 30;

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

TEST(NeighbourhoodRotations, AreThatOfARigidMotion) {
  const Cube cube({.cells = 2});
  const Mat3 turn = Eigen::AngleAxisd(1.2, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  Vector x = cube.state.x;
  for (Index i = 0; i < x.size() / 3; ++i) x.segment<3>(3 * i) = turn * x.segment<3>(3 * i) + Vec3(1, 2, 3);
  for (const Mat3& found : neighbourhood_rotations(cube.model.pattern, cube.state.x, x))
    EXPECT_LT((found - turn).norm(), 1e-12);
}

}  // namespace
}  // namespace pliant::initial_matrix_test
