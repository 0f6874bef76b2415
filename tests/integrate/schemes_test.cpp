// What every scheme must do, on problems without contact.
#include "pliant/integrate/schemes.hpp"

#include "errors.hpp"
#include "integrate/oscillator.hpp"
#include "integrate/scenes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/integrate/account.hpp"
#include "pliant/integrate/rosenbrock.hpp"
#include "pliant/potential/wind.hpp"
#include "test_names.hpp"

namespace pliant::schemes_test {
namespace {

using testing::Cube;
using testing::CubeOptions;
using testing::Oscillator;
using testing::random_vector;

SolverOptions exact() {
  SolverOptions options;
  options.method = "newton-cholesky";
  options.tolerance = 1e-13;
  return options;
}

std::vector<std::string> all_schemes() {
  std::vector<std::string> names;
  for (const SchemeKind& kind : scheme_kinds())
    if (kind.implicit && kind.name != "runge-kutta") names.emplace_back(kind.name);
  return names;
}

int order_of(const std::string& name) {
  if (const auto stages = make_stage_scheme({.name = name})) return stages->order();
  for (const RosenbrockTableau& tableau : rosenbrock_tableaus())
    if (tableau.name == name) return tableau.order;
  throw InputError("no order is known of " + name);
}

// Computed with sixty digits, for steps of 0.1 s.
struct Oracle {
  const char* name;
  double u1, v1, u10, v10;
};

class OfOracles : public ::testing::TestWithParam<Oracle> {};

TEST_P(OfOracles, StepsMeetTheirValues) {
  const Oracle& must = GetParam();
  Oscillator oscillator;
  const auto scheme = make_joint_scheme({.name = must.name}, oscillator.model, exact());
  scheme->step(oscillator.state, 0.1);
  EXPECT_NEAR(oscillator.state.x[0], must.u1, 1e-12);
  EXPECT_NEAR(oscillator.state.v[0], must.v1, 1e-12);
  for (int i = 1; i < 10; ++i) scheme->step(oscillator.state, 0.1);
  EXPECT_NEAR(oscillator.state.x[0], must.u10, 1e-12);
  EXPECT_NEAR(oscillator.state.v[0], must.v10, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, OfOracles,
    ::testing::Values(Oracle{"backward-euler", 0.91904442740719273287, -0.80955572592807267126,
                             -0.30107109418339701685, -1.3038471269316500702},
                      Oracle{"implicit-midpoint", 0.93289630208328214328, -0.84207395833435713447,
                             -0.39855124686906775046, -1.4811826902676804922},
                      Oracle{"trapezoidal", 0.93286631537218492292, -0.84267369255630154154,
                             -0.40206652829909801102, -1.4827927555935239031},
                      Oracle{"newmark", 0.93286631537218492292, -0.84267369255630154154,
                             -0.40206652829909801102, -1.4827927555935239031},
                      Oracle{"sdirk2", 0.93262178507720518969, -0.84318825421197161735,
                             -0.40209216006310162676, -1.4792536615343888343},
                      Oracle{"sdirk3", 0.93234606183331927894, -0.84381454044651227439,
                             -0.40347450333599541159, -1.4763578816159055207},
                      Oracle{"tr-bdf2", 0.93261442068104941303, -0.84331300653140548666,
                             -0.40295891158952407683, -1.4797182453633869043},
                      Oracle{"tr-bdf2-b", 0.93262140183316270815, -0.84330180431384332541,
                             -0.40293810634455852241, -1.4797897655903816319},
                      Oracle{"sdirk-ncs23", 0.93224578471317441572, -0.84364844017596671726,
                             -0.40307006696533888041, -1.4758031979571430136},
                      Oracle{"sdirk-nc34", 0.93229203231198762306, -0.84409261132134405977,
                             -0.40415140181511175058, -1.4763188265660772184},
                      Oracle{"sdirk-3345", 0.93229059764722601896, -0.84410603723307360641,
                             -0.4041508541391332583, -1.4763041915560623039},
                      Oracle{"sdirk-4347", 0.93233629315803728047, -0.84411451038579485832,
                             -0.40419934676049382079, -1.4766012825173397048},
                      Oracle{"esdirk-324", 0.93235125744980663977, -0.84384689067160127919,
                             -0.40359705214616750957, -1.4766718156488391114},
                      Oracle{"esdirk-436", 0.93238478901933658728, -0.84395987127008326796,
                             -0.40387804779800411241, -1.4768352868823090678},
                      Oracle{"ros3pl", 0.93234696410269771709, -0.84386403459370224783,
                             -0.40361985818608071373, -1.4766836690249731311},
                      Oracle{"ros3prl2", 0.93234577262896027622, -0.8438756059845037247,
                             -0.40393562002235326165, -1.4771929055726514029},
                      Oracle{"ros34pw2", 0.93235064173155572983, -0.84377673851270934328,
                             -0.40347886325689423978, -1.4766347577947684303}),
    [](const auto& parameter) { return testing::as_test_name(parameter.param.name); });

/// Slope of the error against the step.
template <class End>
double observed_order(const End& end, const State& reference, int coarse) {
  const auto error = [&](int steps) {
    const State state = end(steps);
    return (state.x - reference.x).norm() + (state.v - reference.v).norm();
  };
  return std::log2(error(coarse) / error(2 * coarse));
}

/// After a second, in so many steps.
State swung(Scheme& scheme, const Oscillator& oscillator, int steps) {
  State state = oscillator.state;
  for (int i = 0; i < steps; ++i) scheme.step(state, 1.0 / steps);
  return state;
}

/// From which number of steps on the error falls as the order says; schemes with long stages need many.
int asymptotic_steps(const std::string& name) {
  if (name == "backward-euler") return 3000;
  if (name == "sdirk-3345" || name == "sdirk-4347") return 800;
  if (name == "sdirk-nc34") return 100;
  return name == "esdirk-436" ? 20 : 160;
}

/// A block that wobbles and drifts, with smooth forces.
struct Wobble {
  Cube cube;
  double duration = 0.4;

  explicit Wobble(const CubeOptions& options = {}) : cube(with_smooth_material(options)) {
    for (Index i = 0; i < cube.state.x.size(); i += 3) {
      const Vec3 X = cube.state.x.segment<3>(i);
      cube.state.v.segment<3>(i) = Vec3(0.3 + std::sin(2 * X.y()), 0.5 * X.x() - 0.2, X.z() * X.x());
    }
    cube.model.apply_scripts(0, cube.state.x, &cube.state.v);
  }
  static CubeOptions with_smooth_material(CubeOptions options) {
    options.cells = options.pull ? 2 : 1;
    options.material = "stable-neo-hookean";
    return options;
  }

  State end(Scheme& scheme, int steps) const {
    State state = cube.state;
    for (int i = 0; i < steps; ++i)
      EXPECT_TRUE(is_converged(scheme.step(state, duration / steps).outcome.status)) << "at step " << i;
    return state;
  }
  State end(const std::string& name, int steps) const {
    return end(*make_joint_scheme({.name = name}, cube.model, exact()), steps);
  }
  double order(const std::string& name, int coarse, int reference_steps) const {
    return observed_order([&](int steps) { return end(name, steps); }, end("esdirk-436", reference_steps),
                          coarse);
  }
};

class EveryScheme : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Schemes, EveryScheme, ::testing::ValuesIn(all_schemes()),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param); });

TEST_P(EveryScheme, IsOfItsOrder) {
  const Oscillator oscillator;
  const State reference =
      swung(*make_joint_scheme({.name = "esdirk-436"}, oscillator.model, exact()), oscillator, 1000);
  const auto end = [&](int steps) {
    return swung(*make_joint_scheme({.name = GetParam()}, oscillator.model, exact()), oscillator, steps);
  };
  EXPECT_NEAR(observed_order(end, reference, asymptotic_steps(GetParam())), order_of(GetParam()), 0.15);
}

TEST_P(EveryScheme, IsOfItsOrderOnABody) {
  // Where a scheme has a higher order for linear problems, that is what shows.
  const int order = order_of(GetParam());
  EXPECT_GT(Wobble().order(GetParam(), order == 1 ? 400 : 100, 400), order - 0.15);
}

TEST_P(EveryScheme, IsOfItsOrderWithASmoothScriptConsistentMassAndConstantDamping) {
  Wobble wobble({.pull = true, .mass_damping = 1, .consistent = true});
  Motion& motion = wobble.cube.model.scripts[1].motion;
  motion.keys = {{-0.2, Vec3::Zero(), 0}, {0.6, Vec3(0.2, 0.1, 0), 0.5}};  // accelerations jump at keys
  motion.interpolation = Motion::Interpolation::smooth;
  wobble.cube.model.apply_scripts(0, wobble.cube.state.x, &wobble.cube.state.v);
  const int order = order_of(GetParam());
  EXPECT_GT(wobble.order(GetParam(), order == 1 ? 200 : 50, 200), order - 0.15);
}

TEST_P(EveryScheme, IsOfFirstOrderWithLaggedDamping) {
  const Wobble wobble({.stiffness_damping = 0.05});
  const Vector coarse = wobble.end(GetParam(), 250).x, middle = wobble.end(GetParam(), 500).x,
               fine = wobble.end(GetParam(), 1000).x;
  EXPECT_NEAR(std::log2((coarse - middle).norm() / (middle - fine).norm()), 1, 0.15);
}

TEST_P(EveryScheme, LetsGoWithTheSpeedOfTheScript) {
  for (const bool consistent : {false, true}) {
    Cube cube({.cells = 1, .consistent = consistent});
    Script script;
    for (int i = 0; i < cube.model.vertex_count(); ++i) {
      script.vertices.push_back(i);
      script.start.push_back(cube.state.x.segment<3>(3 * Index{i}));
    }
    script.motion.keys = {{-1, Vec3(-0.5, 0, 0), 0}, {9, Vec3(4.5, 0, 0), 0}};
    script.release = 0.1;
    cube.model.scripts.push_back(script);
    cube.model.apply_scripts(0, cube.state.x, &cube.state.v);
    const Vector start = cube.state.x;
    const auto scheme = make_joint_scheme({.name = GetParam()}, cube.model, exact());
    for (int i = 0; i < 10; ++i) scheme->step(cube.state, 0.02);
    for (Index d = 0; d < start.size(); ++d) {
      EXPECT_NEAR(cube.state.v[d], d % 3 == 0 ? 0.5 : 0, 1e-8);
      EXPECT_NEAR(cube.state.x[d] - start[d], d % 3 == 0 ? 0.1 : 0, 1e-8);
    }
  }
}

TEST_P(EveryScheme, ConservesLinearMomentum) {
  const Wobble wobble;
  const auto momentum = [&](const Vector& v) {
    Vec3 p = Vec3::Zero();
    for (Index i = 0; i < v.size() / 3; ++i) p += wobble.cube.model.mass[i] * v.segment<3>(3 * i);
    return p;
  };
  const Vec3 before = momentum(wobble.cube.state.v);
  EXPECT_GT(before.norm(), 1);
  EXPECT_LT((momentum(wobble.end(GetParam(), 40).v) - before).norm(), 1e-9 * before.norm());
}

class EverySchemeOfStages : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Schemes, EverySchemeOfStages, ::testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const Tableau& tableau : tableaus()) names.push_back(tableau.name);
                           return names;
                         }()),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param); });

/// The others count as lost to the scheme whatever is left over.
TEST_P(EverySchemeOfStages, ClosesItsEnergyBalance) {
  for (const CubeOptions& what :
       {CubeOptions{.gravity = Vec3(0, -9.81, 0)}, CubeOptions{.pull = true},
        CubeOptions{.stiffness_damping = 0.05}, CubeOptions{.mass_damping = 2}, CubeOptions{.attach = true},
        CubeOptions{.pull = true, .consistent = true}}) {
    Wobble wobble(what);
    const auto scheme = make_joint_scheme({.name = GetParam()}, wobble.cube.model, exact());
    State state = wobble.cube.state;
    // A script without keys before starts with a jump of velocity, which with lumped masses goes into no
    // balance.
    double before = what.consistent ? energies_of(wobble.cube.model, state).total()
                                    : scheme->step(state, 0.02).energies.total();
    double turnover = 0, gap = 0;
    for (int i = 0; i < 10; ++i) {
      const StepReport r = scheme->step(state, 0.02);
      gap = std::max(gap, std::abs(r.energies.total() - before -
                                   (r.work.script + r.work.attachment - r.work.damping - r.work.scheme)));
      turnover = std::max({turnover, std::abs(r.work.script), std::abs(r.work.attachment),
                           std::abs(r.work.damping), std::abs(r.work.scheme)});
      before = r.energies.total();
    }
    EXPECT_LT(gap, 1e-7 * turnover + 1e-11 * std::abs(before));
  }
}

TEST_P(EveryScheme, LosesLessToItselfTheHigherItsOrder) {
  // What the scheme loses in a fixed time falls with the step at least as fast as its order says.
  const Wobble wobble;
  const auto lost = [&](int steps) {
    const auto scheme = make_joint_scheme({.name = GetParam()}, wobble.cube.model, exact());
    State state = wobble.cube.state;
    double sum = 0;
    for (int i = 0; i < steps; ++i) sum += scheme->step(state, wobble.duration / steps).work.scheme;
    return std::abs(sum);
  };
  EXPECT_GT(std::log2(lost(50) / lost(100)), order_of(GetParam()) - 0.2);
}

TEST(Rosenbrock, KeepsOrLosesOrderWithAnotherJacobianAsItsConditionsSay) {
  struct Case {
    const char* name;
    int projected, lagged;
  };
  // A spring that softens: its stiffness is negative at the start, and not when made definite.
  const Oscillator oscillator({.k3 = -3});
  const State reference =
      swung(*make_joint_scheme({.name = "esdirk-436"}, oscillator.model, exact()), oscillator, 1000);
  for (const Case& must : {Case{"ros3pl", 2, 3}, Case{"ros3prl2", 1, 2}, Case{"ros34pw2", 3, 3}}) {
    const auto tableau = std::find_if(rosenbrock_tableaus().begin(), rosenbrock_tableaus().end(),
                                      [&](const auto& t) { return t.name == must.name; });
    const auto order = [&](Jacobian jacobian) {
      return observed_order(
          [&](int steps) {
            Rosenbrock scheme(oscillator.model, *tableau, jacobian);
            return swung(scheme, oscillator, steps);
          },
          reference, 320);
    };
    EXPECT_NEAR(order(Jacobian::lagged), must.lagged, 0.15) << must.name;
    EXPECT_NEAR(order(Jacobian::projected), must.projected, 0.15) << must.name;
  }
}

/// Normals are those of the stage's centre, which is off by the square of the step. Rosenbrock schemes do not
/// know how the drag changes with places, and keep the order that they have with any matrix.
int order_in_the_wind(const std::string& name) {
  if (name == "ros34pw2") return 3;
  if (name == "ros3prl2") return 1;
  return std::min(2, order_of(name));
}

TEST_P(EveryScheme, IsOfSecondOrderInTheWindOrOfTheOrderItHasWithAnyMatrix) {
  Wobble wobble;
  Cube& cube = wobble.cube;
  const Surface surface = extract_surface(cube.model.bodies[0].rest);
  std::vector<std::array<int, 3>> triangles;
  for (const auto& [a, b, c] : surface.mesh.triangles)
    triangles.push_back({surface.vertex_of[a], surface.vertex_of[b], surface.vertex_of[c]});
  cube.model.stage_terms.push_back(
      std::make_unique<Wind>(triangles, Air{Vec3(4, 0, 0), Vec3(0, 2, 0), 1}, 50));
  cube.model.stage_terms.back()->attach(cube.model.pattern);
  // With longer steps what ros3pl loses hardly shows.
  const Vector coarse = wobble.end(GetParam(), 200).x, middle = wobble.end(GetParam(), 400).x,
               fine = wobble.end(GetParam(), 800).x;
  EXPECT_NEAR(std::log2((coarse - middle).norm() / (middle - fine).norm()), order_in_the_wind(GetParam()),
              0.2);
}

TEST(Rosenbrock, BearsAScriptThatTurnsSoonAfterAStepBegins) {
  // With damping a jump of its velocity is one of the force: no rate of change may be made of it.
  for (const std::string name : {"ros3pl", "ros3prl2", "ros34pw2"}) {
    Vector ends[2];
    for (const std::string& scheme_name : {name, std::string("sdirk3")}) {
      Cube cube({.young = 1e5, .pull = true, .stiffness_damping = 0.01});
      cube.model.scripts[1].motion.keys = {{1.03 / 24, Vec3::Zero(), 0}, {1, Vec3(0.4, 0, 0), 0}};
      const auto scheme = make_joint_scheme({.name = scheme_name}, cube.model, exact());
      for (int i = 0; i < 12; ++i) scheme->step(cube.state, 1 / 24.0);
      ends[scheme_name == name] = cube.state.x;
    }
    EXPECT_LT((ends[1] - ends[0]).lpNorm<Eigen::Infinity>(), 0.02) << name;
  }
}

TEST(Rosenbrock, EstimatesNoErrorWhereScriptsMoveEverythingAlong) {
  for (const RosenbrockTableau& tableau : rosenbrock_tableaus()) {
    Cube cube({.pull = true});
    for (Script& script : cube.model.scripts) {
      script.motion = {};
      script.motion.constant_velocity = Vec3(1, 0, 0);
    }
    for (Index i = 0; i < cube.state.v.size(); i += 3) cube.state.v[i] = 1;
    const auto scheme = make_joint_scheme({.name = std::string(tableau.name)}, cube.model, exact());
    const StepReport report = scheme->step(cube.state, 0.1);
    ASSERT_TRUE(report.error.has_value());
    EXPECT_LT(report.error->x.norm() + report.error->v.norm(), 1e-10) << tableau.name;
  }
}

TEST(Stages, StartFromTheForceOfTheStageBeforeSoThatAFreeFallIsSolvedFromTheStart) {
  for (const Tableau& tableau : tableaus()) {
    Cube cube({.gravity = Vec3(0, -9.81, 0)});
    const auto scheme = make_joint_scheme({.name = std::string(tableau.name)}, cube.model, exact());
    for (int i = 0; i < 3; ++i)
      EXPECT_LT(scheme->step(cube.state, 1 / 24.0).outcome.first_residual, 1e-9)
          << tableau.name << ", step " << i;
  }
}

TEST(Schemes, StepFromWhatTheStateHoldsAlone) {
  // A new scheme a step gives the same bits as one that stays.
  for (const std::string& name : all_schemes()) {
    const Wobble wobble({.pull = true});
    const auto kept = make_joint_scheme({.name = name}, wobble.cube.model, exact());
    State one = wobble.cube.state, other = one;
    for (int i = 0; i < 4; ++i) {
      kept->step(one, 0.02);
      make_joint_scheme({.name = name}, wobble.cube.model, exact())->step(other, 0.02);
    }
    EXPECT_EQ(one, other) << name;
  }
}

TEST(Bdf2, StartsAnewWhereTheStepChanges) {
  Oscillator oscillator;
  const auto scheme = make_joint_scheme({.name = "bdf2"}, oscillator.model, exact());
  scheme->step(oscillator.state, 0.1);
  State euler = oscillator.state;
  euler.arrays.clear();
  scheme->step(oscillator.state, 0.05);
  make_joint_scheme({.name = "backward-euler"}, oscillator.model, exact())->step(euler, 0.05);
  EXPECT_NEAR(oscillator.state.x[0], euler.x[0], 1e-13);
}

TEST(GeneralizedAlpha, IsOfSecondOrderForEveryRadius) {
  const Wobble wobble;
  const State reference = wobble.end("esdirk-436", 200);
  for (const double rho : {0.0, 0.5, 1.0}) {
    const double observed = observed_order(
        [&](int steps) {
          return wobble.end(
              *make_joint_scheme({.name = "generalized-alpha", .rho = rho}, wobble.cube.model, exact()),
              steps);
        },
        reference, 50);
    EXPECT_NEAR(observed, 2, 0.15) << rho;
  }
}

TEST_P(EveryScheme, KeepsItsOrderWhereStepsChange) {
  // Long and short steps in turn. BDF2 starts anew at each, with backward Euler.
  const Oscillator oscillator;
  const State reference =
      swung(*make_joint_scheme({.name = "esdirk-436"}, oscillator.model, exact()), oscillator, 1000);
  const auto end = [&](int steps) {
    const auto scheme = make_joint_scheme({.name = GetParam()}, oscillator.model, exact());
    State state = oscillator.state;
    for (int i = 0; i < steps; ++i) scheme->step(state, (i % 2 == 0 ? 1.5 : 0.5) / steps);
    return state;
  };
  const bool first_order = GetParam() == "bdf2";
  EXPECT_NEAR(observed_order(end, reference, first_order ? 3000 : asymptotic_steps(GetParam())),
              first_order ? 1 : order_of(GetParam()), 0.15);
}

TEST(ImplicitMidpoint, FailsWhereItsFinalUpdateTurnsElementsOver) {
  // Soft, and squeezed so fast that half a step leaves little of it, and all of it less than nothing.
  Cube cube({.cells = 1, .material = "neo-hookean", .young = 1, .gravity = Vec3(0, -9.81, 0)});
  for (Index d = 0; d < cube.state.x.size(); d += 3) cube.state.v[d] = -12 * cube.state.x[d];
  const auto scheme = make_joint_scheme({.name = "implicit-midpoint"}, cube.model, exact());
  const State before = cube.state;
  const StepReport report = scheme->step(cube.state, 0.1);
  EXPECT_EQ(name(report.outcome.status), "not-finite");
  EXPECT_EQ(cube.state.x, before.x);
  EXPECT_EQ(cube.state.v, Vector::Zero(before.v.size()));
  EXPECT_NEAR(cube.state.time, 0.1, 1e-15);
  EXPECT_NEAR(report.energies.total(), energies_of(cube.model, cube.state).total(), 1e-9);
  EXPECT_NEAR(report.work.scheme, energies_of(cube.model, before).total() - report.energies.total(), 1e-9);
  EXPECT_TRUE(is_converged(scheme->step(cube.state, 0.1).outcome.status)) << "no way on from there";
}

TEST(NewtonResidual, FactorsByCholeskyWhereItCanAndByLuWhereTheMatrixIsIndefinite) {
  // Backward Euler on a spring that pushes away: x = x0 + dt v0 + dt^2 k x / m, which for k > m / dt^2 no
  // minimum is.
  for (const double k : {30.0, 300.0}) {
    Oscillator oscillator({.mass = 2, .damping = 0, .k1 = -k, .k3 = 0, .force = 0});
    const double expected = (1 - 0.1 * 0.5) / (1 - 0.01 * k / 2);
    const auto scheme = make_joint_scheme({.name = "backward-euler"}, oscillator.model,
                                          {.method = "newton-residual", .tolerance = 1e-10});
    const StepReport report = scheme->step(oscillator.state, 0.1);
    EXPECT_TRUE(is_converged(report.outcome.status)) << k;
    EXPECT_EQ(report.outcome.indefinite, k > 200 ? report.outcome.iterations : 0) << k;
    EXPECT_NEAR(oscillator.state.x[0], expected, 1e-10) << k;
  }
}

TEST(RungeKutta, TakesATableauOfOnesOwn) {
  Oscillator own, known;
  make_joint_scheme({.name = "runge-kutta", .tableau = find_tableau("sdirk3")}, own.model, exact())
      ->step(own.state, 0.1);
  make_joint_scheme({.name = "sdirk3"}, known.model, exact())->step(known.state, 0.1);
  EXPECT_EQ(own.state.x, known.state.x);
  EXPECT_ERROR(InputError, "needs time.tableau",
               make_joint_scheme({.name = "runge-kutta"}, own.model, exact()));
}

TEST(RungeKutta, MovesOnWhereTheLastStageIsExplicit) {
  Oscillator oscillator;
  const Tableau twice{"euler-twice", "", 1, {{0}, {1, 0}}, {1, 0}, {0, 1}};
  EXPECT_FALSE(twice.is_stiffly_accurate());
  const double start = oscillator.state.x[0], speed = oscillator.state.v[0];
  make_joint_scheme({.name = "runge-kutta", .tableau = twice}, oscillator.model, exact())
      ->step(oscillator.state, 0.1);
  EXPECT_NEAR(oscillator.state.x[0], start + 0.1 * speed, 1e-12);
}

TEST(RungeKutta, TakesExplicitTableausToo) {
  Oscillator oscillator;
  const Tableau rk4{"rk4",
                    "",
                    4,
                    {{0}, {0.5, 0}, {0, 0.5, 0}, {0, 0, 1, 0}},
                    {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0},
                    {0, 0.5, 0.5, 1}};
  make_joint_scheme({.name = "runge-kutta", .tableau = rk4}, oscillator.model, exact())
      ->step(oscillator.state, 0.1);
  EXPECT_NEAR(oscillator.state.x[0], 0.932384185445450513, 1e-5);
  EXPECT_NEAR(oscillator.state.v[0], -0.843959939201669654, 1e-5);
}

}  // namespace
}  // namespace pliant::schemes_test
