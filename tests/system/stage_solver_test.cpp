#include "pliant/system/stage_solver.hpp"

#include "integrate/oscillator.hpp"
#include "integrate/scenes.hpp"

namespace pliant::stage_solver_test {
namespace {

using testing::Cube;

/// A cube of jelly with a hole in its energy where elements turn over, its top pressed to 1 cm above
/// its bottom within a step by springs that are 10^5 times stiffer.
struct Pressed {
  Cube cube{{.cells = 4, .material = "neo-hookean", .young = 100, .pull = false}};

  Pressed() {
    Script bottom;
    std::vector<int> top;
    std::vector<Vec3> targets;
    const auto& vertices = cube.model.bodies[0].rest.vertices;
    for (size_t i = 0; i < vertices.size(); ++i) {
      if (vertices[i].y() > 0.49) {
        top.push_back(static_cast<int>(i));
        targets.push_back(vertices[i] - Vec3(0, 0.99, 0));
      } else if (vertices[i].y() < -0.49) {
        bottom.vertices.push_back(static_cast<int>(i));
        bottom.start.push_back(vertices[i]);
      }
    }
    cube.model.scripts.push_back(bottom);
    cube.model.stage_terms.push_back(std::make_unique<Attachment>(top, targets, Motion(), 1e6));
    cube.model.finish();
  }
};

TEST(StageSolver, FindsTheMinimumCloseToWallsOnADetour) {
  Pressed s;
  BackwardEuler scheme(s.cube.model, {.tolerance = 1e-6});
  const StepReport report = scheme.step(s.cube.state, 0.002);
  EXPECT_EQ(name(report.outcome.status), "converged");
  EXPECT_TRUE(report.outcome.met_infinity);
  EXPECT_GT(report.outcome.iterations, 50) << "the direct way would have done";
  EXPECT_LT(report.outcome.iterations, 250);
  EXPECT_EQ(s.cube.model.inverted_elements(s.cube.state.x), 0);

  // It is a minimum of the true problem, not of a stiffened one.
  Pressed again;
  StageObjective objective(again.cube.model, ResidualNorm::velocity);
  objective.begin(scheme.first_stage(again.cube.state, 0.002));
  Vector gradient;
  objective.evaluate(s.cube.state.x, &gradient);
  EXPECT_LT(objective.residual(gradient), 1e-6);
}

TEST(StageSolver, TakesNoDetourWhereTheMethodIsThePapers) {
  Pressed s;
  BackwardEuler scheme(s.cube.model, {.method = "newton-truncated", .max_iterations = 60});
  const StepReport report = scheme.step(s.cube.state, 0.002);
  EXPECT_EQ(name(report.outcome.status), "iteration-limit");
  EXPECT_EQ(report.outcome.iterations, 60);
}

TEST(StageSolver, CountsTheDetourAmongTheIterationsItMayTake) {
  Pressed s;
  BackwardEuler scheme(s.cube.model, {.max_iterations = 70});
  const StepReport report = scheme.step(s.cube.state, 0.002);
  EXPECT_EQ(name(report.outcome.status), "iteration-limit");
  EXPECT_EQ(report.outcome.iterations, 70);
}

TEST(StageSolver, TakesNoDetourWhereTheIterationsAreCounted) {
  for (const int iterations : {1, 2, 10}) {
    Pressed s;
    BackwardEuler scheme(s.cube.model, {.iterations = iterations});
    const StepReport report = scheme.step(s.cube.state, 0.002);
    EXPECT_EQ(name(report.outcome.status), "as-asked");
    EXPECT_EQ(report.outcome.iterations, iterations);
    EXPECT_TRUE(report.outcome.met_infinity);
  }
}

/// Where the descent of a step of 0.1 s starts, of a point that passes the middle of a spring with 50 m/s.
double start_of_descent(const std::string& method, double hardening) {
  testing::Oscillator oscillator({.damping = 0, .k3 = hardening, .force = 0});
  oscillator.state.x.setZero();
  oscillator.state.v = Vec3(50, 0, 0);
  BackwardEuler scheme(oscillator.model, {});
  StageSolver solver(oscillator.model, {.method = method});
  const Stage stage = scheme.first_stage(oscillator.state, 0.1);
  solver.objective().begin(stage);
  double start = -1;
  solver.set_watch([&](int iterations, const Field& x) {
    if (iterations == 0) start = x.host()[0];
  });
  Vector x;
  EXPECT_TRUE(is_converged(solver.solve({{stage.x_a}}, x).status));
  return start;
}

TEST(StageSolver, StartsWhereTheStepBeganWhereForcesThrowTheGuessFarBack) {
  EXPECT_EQ(start_of_descent("newton-cg", 1e6), 0);
  EXPECT_EQ(start_of_descent("newton-cg", 1e2), 5);  // the guess
  EXPECT_EQ(start_of_descent("newton-cholesky", 1e6), 5) << "only the default does more than its paper";
}

}  // namespace
}  // namespace pliant::stage_solver_test
