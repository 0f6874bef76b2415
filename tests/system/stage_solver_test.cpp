#include "pliant/system/stage_solver.hpp"

#include "integrate/oscillator.hpp"
#include "integrate/scenes.hpp"
#include "pliant/system/following_rotations.hpp"
#include "pliant/system/places_alone.hpp"

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

TEST(StageSolver, TakesNoDetourWhereThatIsSwitchedOff) {
  Pressed s;
  SolverOptions options{.tolerance = 1e-6, .max_iterations = 60};
  options.safeguards.walls = false;
  const StepReport report = BackwardEuler(s.cube.model, options).step(s.cube.state, 0.002);
  EXPECT_EQ(name(report.outcome.status), "iteration-limit");
  EXPECT_EQ(report.outcome.iterations, 60);
}

TEST(StageSolver, EndsWhicheverSafeguardIsMissing) {
  constexpr double kTolerance = 1e-6;
  for (bool SafeguardSwitches::*missing : {&SafeguardSwitches::guesses, &SafeguardSwitches::walls,
                                           &SafeguardSwitches::places, &SafeguardSwitches::rotations}) {
    Pressed s;
    SolverOptions options{.tolerance = kTolerance, .max_iterations = 1000};
    options.safeguards.*missing = false;
    BackwardEuler scheme(s.cube.model, options);
    StageObjective objective(s.cube.model, ResidualNorm::velocity);
    objective.begin(scheme.first_stage(s.cube.state, 0.002));
    const StepReport report = scheme.step(s.cube.state, 0.002);
    EXPECT_EQ(name(report.outcome.status), "converged");
    EXPECT_EQ(s.cube.model.inverted_elements(s.cube.state.x), 0);
    Vector gradient;
    objective.evaluate(s.cube.state.x, &gradient);
    EXPECT_LT(objective.residual(gradient), kTolerance);
  }
}

/// A free cube of which one vertex is poked before a step, solved by directions so short that descents are
/// long.
Outcome after_a_poke(SafeguardSwitches switches) {
  switches.guesses = false;  // the place where the step began is the minimum
  Cube cube({.cells = 16, .young = 1e6});
  StageSolver solver(cube.model,
                     {.tolerance = 1e-8, .max_iterations = 60, .cg_iterations = 1, .safeguards = switches});
  solver.objective().begin(BackwardEuler(cube.model, {}).first_stage(cube.state, 0.02));
  Vector guess = cube.state.x, x;
  guess.segment<3>(3 * (guess.size() / 6)) += Vec3(0.02, 0.03, -0.01);
  const Outcome outcome = solver.solve({{guess}}, x);
  EXPECT_TRUE(x.allFinite());
  EXPECT_LT(outcome.residual, outcome.first_residual);
  return outcome;
}

TEST(StageSolver, MovesPlacesAloneUnlessThatIsSwitchedOff) {
  EXPECT_GT(after_a_poke({}).local_solves, 0);
  EXPECT_EQ(after_a_poke({.places = false}).local_solves, 0);
}

/// A free cube that turns by half a radian in a step from a guess that stands still, by a method that creeps.
Outcome while_turning(const SafeguardSwitches& switches) {
  Cube cube({.young = 1e6});
  for (Index i = 0; i < cube.state.x.size(); i += 3)
    cube.state.v.segment<3>(i) = Vec3(0, 0, 25).cross(Vec3(cube.state.x.segment<3>(i)));
  StageSolver solver(
      cube.model, {.method = "gradient", .tolerance = 1e-3, .max_iterations = 300, .safeguards = switches});
  solver.objective().begin(BackwardEuler(cube.model, {}).first_stage(cube.state, 0.02));
  Vector x;
  return solver.solve({{cube.state.x}}, x);
}

TEST(StageSolver, FollowsRotationsUnlessThatIsSwitchedOff) {
  const Outcome with = while_turning({}), without = while_turning({.rotations = false});
  EXPECT_GT(without.iterations, 20);
  EXPECT_NE(with.residual, without.residual);
  EXPECT_TRUE(std::isfinite(with.residual) && std::isfinite(without.residual));
}

TEST(StageSolver, ListsItsSafeguardsByTheirNames) {
  const Cube cube;
  const StageObjective objective(cube.model, ResidualNorm::velocity);
  const PlacesAlone places(cube.model, objective);
  const FollowingRotations rotations(cube.model, objective);
  for (const Safeguard* safeguard : std::initializer_list<const Safeguard*>{&places, &rotations}) {
    const auto kinds = safeguard_kinds();
    EXPECT_TRUE(std::any_of(kinds.begin(), kinds.end(), [&](const SolverMethod& kind) {
      return kind.name == safeguard->name();
    })) << safeguard->name();
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
