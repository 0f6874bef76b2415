#include "pliant/minimize/lbfgs.hpp"

#include "integrate/scenes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/integrate/schemes.hpp"
#include "pliant/material/linear_fit_kernel.hpp"
#include "pliant/material/neo_hookean_kernel.hpp"
#include "pliant/system/stage_solver.hpp"
#include "test_names.hpp"

namespace pliant {
namespace {

using testing::Cube;
using testing::CubeOptions;

TEST(LinearFit, NeoHookeanHasTheStiffnessOfTheThesis) {
  // liu-2018, section 8.1, with exact integrals; the thesis prints what 41 samples give.
  EXPECT_NEAR(fitted_stiffness(NeoHookean(), {1, 0}, 0.8, 1.2), 2.0247, 5e-5);
  EXPECT_NEAR(fitted_stiffness(NeoHookean(), {0, 1}, 0.8, 1.2), 1.0456, 5e-5);
  for (const auto& [moduli, printed] : {std::pair(LameOf<double>{1, 0}, 2.0260), {{0, 1}, 1.0480}}) {
    double product = 0, square = 0;
    for (int i = 0; i <= 40; ++i) {
      const double s = 0.8 + 0.01 * i;
      product += (s - 1) * NeoHookean::gradient(moduli, Small3<double>{s, 1, 1})[0];
      square += (s - 1) * (s - 1);
    }
    EXPECT_NEAR(product / square, printed, 5e-5);
  }
}

/// A stage of a cube that is pulled, and where different solvers end up.
struct Problem {
  Cube cube;
  explicit Problem(const CubeOptions& options) : cube(options) {}

  Vector minimum(const SolverOptions& options, Outcome* outcome = nullptr) {
    State state = cube.state;
    BackwardEuler scheme(cube.model, options);
    const StepReport report = scheme.step(state, 1.0 / 30);
    if (outcome) *outcome = report.outcome;
    return state.x;
  }
};

class EveryMaterial : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryMaterial, HasTheSameMinimumByQuasiNewtonAsByNewton) {
  Problem problem({.cells = 3, .material = GetParam(), .young = 1e4, .push = 0.2});
  const Vector newton = problem.minimum({.method = "newton-cholesky", .tolerance = 1e-11});
  Outcome outcome;
  const Vector quasi =
      problem.minimum({.method = "lbfgs", .tolerance = 1e-10, .max_iterations = 3000}, &outcome);
  EXPECT_TRUE(is_converged(outcome.status)) << name(outcome.status) << " " << outcome.residual;
  EXPECT_LT((newton - quasi).norm(), 1e-8 * newton.norm());
}

INSTANTIATE_TEST_SUITE_P(Materials, EveryMaterial,
                         ::testing::Values("fixed-corotated", "neo-hookean", "stable-neo-hookean",
                                           "corotated", "st-venant-kirchhoff", "mooney-rivlin",
                                           "as-rigid-as-possible"),
                         [](const auto& made) { return testing::as_test_name(made.param); });

class EveryProjectiveMaterial : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryProjectiveMaterial, IsNeverRaisedByLocalGlobal) {
  Problem problem({.cells = 3, .material = GetParam(), .young = 1e4, .push = 0.3});
  BackwardEuler scheme(problem.cube.model, {});
  StageObjective objective(problem.cube.model, ResidualNorm::velocity);
  objective.begin(scheme.first_stage(problem.cube.state, 1.0 / 30));
  ASSERT_TRUE(objective.is_projective());
  Vector x = objective.stage().x_a, gradient, step;
  objective.make_feasible(x);
  objective.evaluate(x, &gradient);
  objective.set_reference();
  Lbfgs projective(0, std::make_unique<ConstantMatrix>());
  for (int i = 1; i <= 60; ++i) {
    projective.compute(objective, {x, gradient, 1, 1, i}, step);
    x += step;
    EXPECT_LE(objective.evaluate(x, &gradient), objective.noise()) << i;
    objective.set_reference();
  }
}

INSTANTIATE_TEST_SUITE_P(Materials, EveryProjectiveMaterial,
                         ::testing::Values("as-rigid-as-possible", "strain-limited"),
                         [](const auto& made) { return testing::as_test_name(made.param); });

TEST(LocalGlobal, RefusesWhatItsStepsAreNotSafeFor) {
  Problem problem({.cells = 1, .material = "neo-hookean"});
  EXPECT_THROW(StageSolver(problem.cube.model, {.method = "local-global"}), InputError);
}

TEST(Lbfgs, WithoutAWindowIsAProjectiveStep) {
  Problem problem({.cells = 3, .material = "as-rigid-as-possible", .young = 1e4, .push = 0.2});
  const Vector projective = problem.minimum({.method = "local-global", .iterations = 1});
  LbfgsOptions none{.window = 0};
  EXPECT_EQ(problem.minimum({.method = "lbfgs", .iterations = 1, .lbfgs = none}), projective);
}

TEST(Lbfgs, RemembersWhatMakesItFaster) {
  Problem problem({.cells = 4, .material = "neo-hookean", .young = 1e4, .push = 0.2});
  const auto residual = [&](int window) {
    Outcome outcome;
    LbfgsOptions options{.window = window};
    problem.minimum({.method = "lbfgs", .tolerance = 1e-12, .iterations = 20, .lbfgs = options}, &outcome);
    EXPECT_EQ(outcome.iterations, 20);
    EXPECT_EQ(name(outcome.status), "as-asked");
    return outcome.residual;
  };
  EXPECT_LT(residual(5), 0.2 * residual(0));
}

TEST(Lbfgs, HandsOverToNewtonWhereverTheDescentStarts) {
  Problem problem({.cells = 3, .material = "neo-hookean", .young = 1e4, .push = 0.2});
  const Vector newton = problem.minimum({.method = "newton-cholesky", .tolerance = 1e-11});
  // From the start, in between, and never.
  for (const double below : {1e9, 1e-2, 1e-30}) {
    SolverOptions options{.method = "lbfgs", .tolerance = 1e-10, .max_iterations = 3000};
    options.lbfgs.newton_below = below;
    Outcome outcome;
    const Vector x = problem.minimum(options, &outcome);
    EXPECT_TRUE(is_converged(outcome.status)) << below;
    EXPECT_LT((x - newton).norm(), 1e-8 * newton.norm()) << below;
  }
}

TEST(Lbfgs, ForgetsWhereContactsAreNew) {
  Problem problem({.cells = 2, .material = "neo-hookean", .young = 1e4, .push = 0.2});
  BackwardEuler scheme(problem.cube.model, {});
  StageObjective objective(problem.cube.model, ResidualNorm::velocity);
  objective.begin(scheme.first_stage(problem.cube.state, 1.0 / 30));
  Vector x = objective.stage().x_a, gradient, step, after;
  objective.make_feasible(x);
  objective.evaluate(x, &gradient);
  const auto second_step = [&](double renewed, int window) {
    Lbfgs lbfgs(window, std::make_unique<ConstantMatrix>());
    lbfgs.compute(objective, {x, gradient, 1, 1, 1}, step);
    objective.evaluate(x + step, &after);
    if (lbfgs.learns()) lbfgs.learn(step, gradient, after);
    Vector next;
    lbfgs.compute(objective, {x, after, 1, 1, 2, renewed}, next);
    return next;
  };
  EXPECT_EQ(second_step(1, 5), second_step(0, 0)) << "all are new: nothing is remembered";
  EXPECT_NE(second_step(0, 5), second_step(0, 0));
}

TEST(Lbfgs, WorksInsideStagesOfHigherOrder) {
  Problem problem({.cells = 3, .material = "stable-neo-hookean", .young = 1e4, .push = 0.2});
  const auto after = [&](const std::string& method) {
    State state = problem.cube.state;
    const auto scheme = make_scheme({.name = "sdirk2"}, problem.cube.model,
                                    {.method = method, .tolerance = 1e-9, .max_iterations = 3000});
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(is_converged(scheme->step(state, 0.02).outcome.status));
    return state.x;
  };
  const Vector newton = after("newton-cholesky");
  EXPECT_LT((newton - after("lbfgs")).norm(), 1e-8 * newton.norm());
}

}  // namespace
}  // namespace pliant
