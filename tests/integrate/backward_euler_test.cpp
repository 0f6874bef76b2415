#include "pliant/integrate/backward_euler.hpp"

#include <array>

#include "integrate/scenes.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant::backward_euler_test {
namespace {

using testing::Cube;
using testing::CubeOptions;
using testing::random_vector;

SolverOptions solver(std::string method = "newton-cg", double tolerance = 1e-9) {
  SolverOptions options;
  options.method = std::move(method);
  options.tolerance = tolerance;
  return options;
}

/// Runs to `duration` in `steps` steps; every one must converge.
State run(Cube& cube, int steps, double duration, const SolverOptions& options) {
  BackwardEuler scheme(cube.model, options);
  State state = cube.state;
  for (int i = 0; i < steps; ++i) {
    const StepReport report = scheme.step(state, duration / steps);
    EXPECT_TRUE(is_converged(report.outcome.status)) << name(report.outcome.status) << " at step " << i;
  }
  return state;
}

TEST(BackwardEuler, IsOfFirstOrder) {
  // A cube set wobbling by a smooth start; the reference is 64 times finer than the coarsest run,
  // extrapolated.
  Cube cube;
  for (Index i = 0; i < cube.state.x.size(); i += 3) {
    const Vec3 X = cube.state.x.segment<3>(i);
    cube.state.v.segment<3>(i) = Vec3(std::sin(X.y()), 0.5 * X.x(), X.z() * X.x());
  }
  const double duration = 0.1;
  const auto final_x = [&](int steps) {
    return run(cube, steps, duration, solver("newton-cholesky", 1e-11)).x;
  };
  const Vector reference = 2 * final_x(1024) - final_x(512);
  std::vector<double> errors;
  for (const int steps : {16, 32, 64}) errors.push_back((final_x(steps) - reference).norm());
  for (size_t i = 1; i < errors.size(); ++i) EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), 1, 0.15);
}

TEST(BackwardEuler, FallsFreelyWithoutDeforming) {
  Cube cube({.gravity = Vec3(0, -10, 0)});
  const double dt = 0.1;
  // The guess with the old forces is the answer already.
  State once = cube.state;
  EXPECT_LT(BackwardEuler(cube.model, solver()).step(once, dt).outcome.first_residual, 1e-9);
  const State state = run(cube, 5, 5 * dt, solver());
  // Backward Euler's parabola: x_n = x_0 + g dt^2 n(n+1)/2.
  for (Index i = 0; i < state.x.size(); i += 3) {
    const Vec3 moved = state.x.segment<3>(i) - cube.state.x.segment<3>(i);
    EXPECT_LT((moved - Vec3(0, -10 * dt * dt * 15, 0)).norm(), 1e-9);
  }
}

TEST(BackwardEuler, ConservesLinearMomentum) {
  Cube cube;
  cube.state.v = random_vector(cube.state.v.size(), 3);
  const auto momentum = [&](const Vector& v) {
    Vec3 p = Vec3::Zero();
    for (Index i = 0; i < cube.model.mass.size(); ++i) p += cube.model.mass[i] * v.segment<3>(3 * i);
    return p;
  };
  const State state = run(cube, 10, 0.2, solver("newton-cholesky", 1e-10));
  EXPECT_LT((momentum(state.v) - momentum(cube.state.v)).norm(), 1e-7 * momentum(cube.state.v).norm());
}

struct Balance {
  const char* what;
  CubeOptions cube;
};

class EnergyBalance : public ::testing::TestWithParam<Balance> {};

TEST_P(EnergyBalance, ClosesToTheSolversTolerance) {
  Cube cube(GetParam().cube);
  cube.state.v = 0.3 * random_vector(cube.state.v.size(), 3);
  const auto worst_gap = [&](double tolerance) {
    BackwardEuler scheme(cube.model, solver("newton-cg", tolerance));
    State state = cube.state;
    const StepReport first = scheme.step(state, 0.02);
    double before = first.energies.total(), gap = 0, turnover = 0;
    for (int i = 0; i < 20; ++i) {
      const StepReport r = scheme.step(state, 0.02);
      const double expected = r.work.script + r.work.attachment - r.work.damping - r.work.scheme;
      gap = std::max(gap, std::abs(r.energies.total() - before - expected));
      turnover = std::max(
          {turnover, std::abs(r.work.script), std::abs(r.work.attachment), r.work.damping, r.work.scheme});
      before = r.energies.total();
    }
    return gap / turnover;
  };
  EXPECT_LT(worst_gap(1e-9), 1e-7);
  EXPECT_LT(worst_gap(1e-4), 1e-2);
}

INSTANTIATE_TEST_SUITE_P(
    Effects, EnergyBalance,
    ::testing::Values(Balance{"Free", {}}, Balance{"Gravity", {.gravity = Vec3(0, -9.81, 0)}},
                      Balance{"Pulled", {.pull = true}},
                      Balance{"StiffnessDamped", {.stiffness_damping = 0.05}},
                      Balance{"MassDamped", {.mass_damping = 2}},
                      Balance{"Attached", {.gravity = Vec3(0, -9.81, 0), .attach = true}},
                      Balance{"PulledAndDamped", {.pull = true, .stiffness_damping = 0.05}}),
    [](const auto& parameter) { return parameter.param.what; });

TEST(EnergyBalance, TheSchemesLossVanishesWithTheStepAndTheDampingsDoesNot) {
  Cube cube({.stiffness_damping = 0.02, .mass_damping = 1, .attach = true});
  cube.state.v = 0.1 * random_vector(cube.state.v.size(), 3);
  const auto losses = [&](int steps) {
    BackwardEuler scheme(cube.model, solver("newton-cholesky", 1e-10));
    State state = cube.state;
    double of_scheme = 0, of_damping = 0;
    for (int i = 0; i < steps; ++i) {
      const StepReport report = scheme.step(state, 0.2 / steps);
      of_scheme += report.work.scheme;
      of_damping += report.work.damping;
    }
    return std::pair(of_scheme, of_damping);
  };
  const auto [coarse_scheme, coarse_damping] = losses(400);
  const auto [fine_scheme, fine_damping] = losses(800);
  EXPECT_NEAR(coarse_scheme / fine_scheme, 2, 0.2);
  EXPECT_NEAR(coarse_damping / fine_damping, 1, 0.1);
}

TEST(Damping, TakesEnergyOutFaster) {
  const auto energy_left = [](double stiffness_damping, double mass_damping) {
    Cube cube({.stiffness_damping = stiffness_damping, .mass_damping = mass_damping});
    cube.state.v = random_vector(cube.state.v.size(), 3);
    BackwardEuler scheme(cube.model, solver());
    State state = cube.state;
    double total = 0;
    for (int i = 0; i < 10; ++i) total = scheme.step(state, 0.01).energies.total();
    return total;
  };
  const double undamped = energy_left(0, 0);
  EXPECT_LT(energy_left(0.1, 0), 0.9 * undamped);
  EXPECT_LT(energy_left(0, 5), 0.9 * undamped);
}

TEST(Solvers, MeetTheSameMinimum) {
  for (const SolidMaterial& solid : solid_materials()) {
    const std::string material(solid.name);
    Cube cube({.material = material, .gravity = Vec3(0, -9.81, 0), .pull = true, .stiffness_damping = 0.01});
    const Vector reference = run(cube, 1, 0.03, solver("newton-cholesky", 1e-12)).x;
    EXPECT_GT((reference - cube.state.x).norm(), 1e-3);
    for (const SolverMethod& method : solver_methods()) {
      if (method.name == "local-global") continue;  // refuses most materials; tests/system has its own
      SolverOptions options = solver(std::string(method.name), 1e-10);
      options.max_iterations = 20000;
      EXPECT_LT((run(cube, 1, 0.03, options).x - reference).norm(), 1e-9)
          << method.name << " with " << material;
    }
  }
}

TEST(Solvers, MeetTheSameMinimumFromWhereTheHessianIsIndefinite) {
  // The guess is a cube pressed to half its length, in a step that is long beside what inertia resists.
  Cube cube({.cells = 3, .material = "stable-neo-hookean", .young = 1e6});
  cube.state.x *= 0.5;
  cube.state.x += 0.02 * random_vector(cube.state.x.size(), 3);
  const auto after = [&](const std::string& method) {
    State state = cube.state;
    SolverOptions options = solver(method, 1e-10);
    options.max_iterations = 3000;
    const StepReport report = BackwardEuler(cube.model, options).step(state, 0.1);
    EXPECT_TRUE(is_converged(report.outcome.status)) << method << ": " << name(report.outcome.status);
    if (method != "lbfgs") {
      EXPECT_GT(report.outcome.indefinite, 0) << method;
    }
    return state.x;
  };
  const Vector reference = after("newton-cholesky");
  for (const std::string method : {"newton-tikhonov", "newton-cg", "newton-truncated", "lbfgs"})
    EXPECT_LT((after(method) - reference).norm(), 1e-8 * reference.norm()) << method;
}

TEST(Solvers, ConvergeFromATangledStart) {
  for (const std::string method : {"newton-cg", "newton-cholesky", "newton-minres"}) {
    for (const double young : {1e3, 1e5, 1e7}) {
      Cube cube({.cells = 3, .young = young});
      cube.state.x = random_vector(cube.state.x.size(), 5);
      const State state = run(cube, 120, 120 / 24.0, solver(method, 1e-3));
      EXPECT_EQ(cube.model.inverted_elements(state.x), 0) << method << ", E = " << young;
    }
  }
}

TEST(Solvers, ConvergeFromASinglePoint) {
  for (const std::string method : {"newton-cg", "newton-cholesky", "newton-minres"}) {
    Cube cube({.cells = 3, .young = 1e6});
    cube.state.x.setZero();
    const State state = run(cube, 30, 30 / 24.0, solver(method, 1e-3));
    EXPECT_EQ(cube.model.inverted_elements(state.x), 0) << method;
  }
}

/// The smallest volume of an element, as a share of its rest volume.
double smallest_volume(const Cube& cube, const Vector& x) {
  const TetMesh& rest = cube.model.bodies[0].rest;
  double smallest = 1;
  for (const auto& tet : rest.tets) {
    const auto now = [&](int k) -> Vec3 { return x.segment<3>(3 * tet[k]); };
    const auto then = [&](int k) -> Vec3 { return rest.vertices[tet[k]]; };
    smallest = std::min(smallest, signed_volume(now(0), now(1), now(2), now(3)) /
                                      signed_volume(then(0), then(1), then(2), then(3)));
  }
  return smallest;
}

TEST(Solvers, BringExtrapolatedNeoHookeanBackToItsShape) {
  for (const std::string method : {"newton-cg", "newton-cholesky"}) {
    Cube cube({.cells = 3, .material = "extrapolated-neo-hookean", .young = 1e5});
    const Vector X = cube.state.x, noise = random_vector(X.size(), 5);
    Vector flat = X + 1e-3 * noise;
    for (Index i = 0; i < flat.size(); i += 3) flat[i] -= X[i];
    for (const Vector& start : {Vector(0.7 * X + 0.15 * noise), flat, Vector(0.05 * X)}) {
      EXPECT_LT(smallest_volume(cube, start), 1e-3);
      cube.state.x = start;
      const State state = run(cube, 60, 60 / 24.0, solver(method, 1e-3));
      EXPECT_GT(smallest_volume(cube, state.x), 0.99) << method;
    }
  }
}

TEST(Solvers, LeaveNoElementOfExtrapolatedNeoHookeanInverted) {
  // From so wild a start it may settle in another shape, but not inside out.
  for (const std::string method : {"newton-cg", "newton-cholesky"}) {
    for (const double size : {1.0, 0.0}) {
      Cube cube({.cells = 3, .material = "extrapolated-neo-hookean", .young = 1e5});
      cube.state.x = size * random_vector(cube.state.x.size(), 5);
      const State state = run(cube, 120, 120 / 24.0, solver(method, 1e-3));
      EXPECT_GT(smallest_volume(cube, state.x), 0.1) << method << ", start of size " << size;
    }
  }
}

TEST(Step, HasTheSameBitsForAnyNumberOfThreads) {
  for (const std::string method : {"newton-cg", "newton-cholesky"}) {
    Cube cube({.cells = 6, .gravity = Vec3(0, -9.81, 0), .pull = true, .stiffness_damping = 0.01});
    set_threads(1);
    const State one = run(cube, 3, 0.1, solver(method, 1e-4));
    set_threads(3);
    const State more = run(cube, 3, 0.1, solver(method, 1e-4));
    set_threads(0);
    EXPECT_EQ(one.x, more.x) << method;
    EXPECT_EQ(one.v, more.v) << method;
  }
}

TEST(Step, DependsOnTheStateAlone) {
  // Building everything anew before each step drops every cache; nothing may change.
  for (const std::string method : {"newton-cg", "newton-cholesky"}) {
    const CubeOptions options{
        .gravity = Vec3(0, -9.81, 0), .pull = true, .stiffness_damping = 0.01, .attach = true};
    Cube cube(options);
    const State kept = run(cube, 5, 0.1, solver(method, 1e-4));
    State state = cube.state;
    for (int i = 0; i < 5; ++i) {
      Cube fresh(options);
      BackwardEuler scheme(fresh.model, solver(method, 1e-4));
      scheme.step(state, 0.1 / 5);
    }
    EXPECT_EQ(state, kept) << method;
  }
}

TEST(Script, HoldsMovesAndReleases) {
  Cube cube({.pull = true});
  cube.model.scripts[1].release = 0.1;
  const int pulled = cube.model.scripts[1].vertices[0];
  BackwardEuler scheme(cube.model, solver());
  State state = cube.state;
  const Vec3 start = state.x.segment<3>(3 * pulled);
  for (int i = 0; i < 5; ++i) scheme.step(state, 0.02);
  EXPECT_LT((state.x.segment<3>(3 * pulled) - start - Vec3(0.05, 0, 0)).norm(), 1e-12);
  EXPECT_EQ(Vec3(state.v.segment<3>(3 * pulled)), Vec3(0.5, 0, 0));
  scheme.step(state, 0.02);
  EXPECT_GT((state.x.segment<3>(3 * pulled) - start - Vec3(0.06, 0, 0)).norm(), 1e-4);
}

TEST(Step, NamesThePlaceOfTheLargestForceWhenItDoesNotConverge) {
  Cube cube({.cells = 3});
  cube.state.x = random_vector(cube.state.x.size(), 5);
  SolverOptions options = solver();
  options.max_iterations = 1;
  BackwardEuler scheme(cube.model, options);
  State state = cube.state;
  const StepReport report = scheme.step(state, 1 / 24.0);
  EXPECT_EQ(report.outcome.status, Status::iteration_limit);
  EXPECT_EQ(report.worst.body, "cube");
  EXPECT_GT(report.worst.force, 0);
  ASSERT_GE(report.worst.element, 0);
  const auto& tet = cube.model.bodies[0].rest.tets[report.worst.element];
  EXPECT_NE(std::find(tet.begin(), tet.end(), report.worst.vertex), tet.end());
}

TEST(Step, NeoHookeanFollowsAScriptThatMovesFurtherThanACell) {
  // Every guess is infinite: the face has passed the layer of vertices behind it.
  Cube cube({.cells = 8, .material = "neo-hookean", .push = 0.15});
  const State state = run(cube, 3, 3 / 24.0, solver("newton-cg", 1e-4));
  EXPECT_EQ(cube.model.inverted_elements(state.x), 0);
  EXPECT_NEAR(state.x[3 * cube.model.scripts[1].vertices[0]], 0.35, 1e-12);
}

TEST(Step, NeoHookeanFollowsAScriptThatSquashesItFlat) {
  // To a tenth of its length in one step: the face stops short of the next vertices again and again.
  Cube cube({.cells = 8, .material = "neo-hookean", .push = 0.9});
  const State state = run(cube, 1, 1 / 24.0, solver("newton-cg", 1e-3));
  EXPECT_EQ(cube.model.inverted_elements(state.x), 0);
  EXPECT_NEAR(state.x[3 * cube.model.scripts[1].vertices[0]], -0.4, 1e-12);
}

TEST(Step, SoftNeoHookeanFollowsAScriptThatSquashesItFlat) {
  // The inertia outweighs the material by far: alone, it would let the face run into the next vertices.
  Cube cube({.cells = 8, .material = "neo-hookean", .young = 10, .push = 0.9});
  const State state = run(cube, 1, 1 / 24.0, solver("newton-cg", 1e-3));
  EXPECT_EQ(cube.model.inverted_elements(state.x), 0);
  EXPECT_NEAR(state.x[3 * cube.model.scripts[1].vertices[0]], -0.4, 1e-12);
}

TEST(Step, NeoHookeanStartsFromWhereItIsWhereTheOldForcesLeadAstray) {
  // The old velocity turns the cube inside out; the old forces of the squeezed cube blow it up a
  // thousandfold.
  Cube cube({.cells = 1, .material = "neo-hookean", .young = 1e9});
  cube.state.v = -30 * cube.state.x;
  cube.state.x *= 0.5;
  BackwardEuler scheme(cube.model, solver("newton-cg", 1e-3));
  const StepReport report = scheme.step(cube.state, 1 / 24.0);
  EXPECT_EQ(report.outcome.status, Status::converged);
  EXPECT_LT(report.outcome.first_residual, 1e7);
}

TEST(Step, ConvergesWhereCorotatedElementsAreHeldStretchedAndFlat) {
  // Pulled to five times its length, sideways free: pressure flattens elements until two stretches cancel.
  Cube cube({.cells = 3, .material = "corotated", .pull = true});
  Motion motion;
  motion.keys = {{0, Vec3::Zero(), 0}, {1, Vec3(4, 0, 0), 0}};
  cube.model.scripts[1].motion = motion;
  const State state = run(cube, 8, 1, solver("newton-cg", 1e-6));
  EXPECT_LT(smallest_volume(cube, state.x), 1e-3);
}

TEST(Step, AStiffTangledBodyTurnsAsAWhole) {
  // Its shape is found long before its attitude, which straight steps reach a degree at a time.
  Cube cube({.cells = 3, .material = "stable-neo-hookean", .young = 1e9});
  cube.state.x = random_vector(cube.state.x.size(), 5);
  BackwardEuler scheme(cube.model, solver("newton-cg", 1e-3));
  const StepReport report = scheme.step(cube.state, 0.5);
  EXPECT_EQ(report.outcome.status, Status::converged);
  EXPECT_LT(report.outcome.iterations, 100);
}

TEST(Step, KeepsAFinitePointWhereAScriptLeavesNone) {
  Cube cube({.cells = 2, .material = "neo-hookean", .push = 1.5});  // through the other face
  BackwardEuler scheme(cube.model, solver());
  State state = cube.state;
  const StepReport report = scheme.step(state, 1 / 24.0);
  EXPECT_EQ(report.outcome.status, Status::not_finite);
  EXPECT_EQ(state.x, cube.state.x);
  EXPECT_GT(report.outcome.linear_solves, 0);  // it tried
  EXPECT_TRUE(std::isfinite(report.energies.total()));
}

TEST(Solvers, EndAtRoundoffWhenAskedForMoreThanThereIs) {
  for (const std::string material : {"fixed-corotated", "neo-hookean", "stable-neo-hookean"}) {
    Cube cube({.cells = 5, .material = material, .gravity = Vec3(0, -9.81, 0), .pull = true});
    BackwardEuler scheme(cube.model, solver("newton-cg", 1e-14));
    State state = cube.state;
    for (int i = 0; i < 3; ++i) {
      const StepReport report = scheme.step(state, 1 / 24.0);
      EXPECT_TRUE(is_converged(report.outcome.status)) << name(report.outcome.status) << " with " << material;
      EXPECT_LT(report.outcome.residual, 1e-10) << material;
      EXPECT_LT(report.outcome.iterations, 60) << material;
    }
  }
}

TEST(Solvers, ConvergeForVeryStiffBodies) {
  for (const SolidMaterial& solid : solid_materials()) {
    const std::string material(solid.name);
    Cube cube({.cells = 4, .material = material, .young = 1e11, .gravity = Vec3(0, -9.81, 0), .push = 1e-6});
    run(cube, 12, 0.5, solver("newton-cg", 1e-3));
  }
}

TEST(Step, NeoHookeanNeverInvertsEvenWhenPulledApartInOneStep) {
  Cube cube({.material = "neo-hookean", .gravity = Vec3(0, -200, 0)});
  cube.state.v = 5 * random_vector(cube.state.v.size(), 5);
  const State state = run(cube, 5, 5 / 24.0, solver("newton-cg", 1e-4));
  EXPECT_EQ(cube.model.inverted_elements(state.x), 0);
}

}  // namespace
}  // namespace pliant::backward_euler_test
