// A step that fails ends at rest where it began, at a finite energy, and leaves no number in the books that
// is not finite.
#include "integrate/contact_scenes.hpp"
#include "integrate/scenes.hpp"
#include "pliant/integrate/contact_program.hpp"
#include "pliant/integrate/schemes.hpp"
#include "pliant/integrate/side_by_side.hpp"
#include "pliant/potential/wind.hpp"
#include "test_names.hpp"

namespace pliant::failed_step_test {
namespace {

using testing::Cube;
using testing::random_vector;

std::vector<std::string> implicit_schemes() {
  std::vector<std::string> names;
  for (const SchemeKind& kind : scheme_kinds())
    if (kind.implicit && kind.name != "runge-kutta") names.emplace_back(kind.name);
  return names;
}

/// The report of a step from `before` that has failed.
void expect_put_back(const Model& model, const State& before, const State& after, const StepReport& report) {
  EXPECT_EQ(name(report.outcome.status), "not-finite");
  EXPECT_EQ(after.x, before.x);
  EXPECT_EQ(after.v, Vector::Zero(before.v.size()));
  const double total = energies_of(model, after).total();
  ASSERT_TRUE(std::isfinite(total));
  EXPECT_NEAR(report.energies.total(), total, 1e-9 * std::abs(total));
  const StepWork& work = report.work;
  for (const double lost : {work.script, work.attachment, work.contact, work.friction, work.damping})
    EXPECT_EQ(lost, 0);
  EXPECT_NEAR(work.scheme, energies_of(model, before).total() - total, 1e-9 * (1 + std::abs(total)));
  EXPECT_FALSE(report.error.has_value());
}

class FailedStep : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Schemes, FailedStep, ::testing::ValuesIn(implicit_schemes()),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param); });

TEST_P(FailedStep, KeepsAFinitePointWhereAScriptLeavesNone) {
  // Through the other face: the places of the script with the others where they were are infinite, too.
  Cube cube({.cells = 2, .material = "neo-hookean", .push = 1.5});
  const auto scheme = make_joint_scheme({.name = GetParam()}, cube.model, {});
  State state = cube.state;
  for (int i = 0; i < 2; ++i) {
    const State before = state;
    const StepReport report = scheme->step(state, 1 / 24.0);
    expect_put_back(cube.model, before, state, report);
    EXPECT_EQ(state.time, (i + 1) / 24.0);
  }
}

TEST_P(FailedStep, GoesOnFromThereWhereTheScriptComesBack) {
  Cube cube({.cells = 2, .material = "neo-hookean", .push = 1.5});
  cube.model.scripts[1].motion.keys.push_back({2 / 24.0, Vec3(0.01, 0, 0), 0});
  const auto scheme = make_joint_scheme({.name = GetParam()}, cube.model, {});
  EXPECT_EQ(scheme->step(cube.state, 1 / 24.0).outcome.status, Status::not_finite);
  // At the key, the script has gone all its way back: in one more step no scheme need be far off.
  for (int i = 0; i < 20; ++i) scheme->step(cube.state, 1 / 480.0);
  const StepReport report = scheme->step(cube.state, 1 / 480.0);
  EXPECT_TRUE(is_converged(report.outcome.status)) << name(report.outcome.status);
  EXPECT_TRUE(std::isfinite(report.energies.total()));
}

/// Wind and all that damps: terms that look at the stage.
void let_the_wind_blow(Cube& cube) {
  const Surface surface = extract_surface(cube.model.bodies[0].rest);
  std::vector<std::array<int, 3>> triangles;
  for (const auto& [a, b, c] : surface.mesh.triangles)
    triangles.push_back({surface.vertex_of[a], surface.vertex_of[b], surface.vertex_of[c]});
  cube.model.stage_terms.push_back(
      std::make_unique<Wind>(triangles, Air{Vec3(4, 0, 0), Vec3(0, 2, 0), 1}, 50));
  cube.model.stage_terms.back()->attach(cube.model.pattern);
}

class Rosenbrocks : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Schemes, Rosenbrocks, ::testing::Values("ros3pl", "ros3prl2", "ros34pw2"),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param); });

TEST_P(Rosenbrocks, LeaveNoNumberThatIsNotFiniteWhereTheyBlowUpInTheWind) {
  // Places so far off that energies are infinite, with terms that would carry them into the books.
  Cube cube({.cells = 2, .material = "neo-hookean", .stiffness_damping = 0.02, .mass_damping = 1});
  let_the_wind_blow(cube);
  cube.state.v = 40 * random_vector(cube.state.v.size(), 3);
  const auto scheme = make_joint_scheme({.name = GetParam()}, cube.model, {});
  const State before = cube.state;
  const StepReport report = scheme->step(cube.state, 0.1);
  expect_put_back(cube.model, before, cube.state, report);
  // At rest, and with short steps, it goes on.
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(is_converged(scheme->step(cube.state, 1e-3).outcome.status)) << "step " << i;
}

TEST_P(Rosenbrocks, LeaveNoNumberThatIsNotFiniteWhereNumbersOverflow) {
  Cube cube({.cells = 1, .material = "st-venant-kirchhoff", .stiffness_damping = 0.02, .mass_damping = 1});
  let_the_wind_blow(cube);
  cube.state.v = 1e120 * random_vector(cube.state.v.size(), 3);
  const auto scheme = make_joint_scheme({.name = GetParam()}, cube.model, {});
  const StepReport report = scheme->step(cube.state, 0.1);
  EXPECT_EQ(name(report.outcome.status), "not-finite");
  EXPECT_EQ(cube.state.v, Vector::Zero(cube.state.v.size()));
  EXPECT_TRUE(std::isfinite(report.energies.total()));
  EXPECT_TRUE(std::isfinite(report.work.scheme));
}

TEST(ContactProgram, HoldsOthersWhereTheStepOfOneBodyFails) {
  testing::ContactScene scene;
  scene.add(testing::cube(1), testing::at({5, 3, 0}), {});
  scene.add(testing::cube(1), testing::at({0, 0.5, 0}), {.velocity = {0, -2, 0}});
  // Of the first body, both faces pass each other.
  Body& crushed = scene.model.bodies[0];
  scene.model.terms[0].potential = testing::make_sample("neo-hookean", crushed.rest, 1e4);
  for (const double side : {-0.5, 0.5}) {
    Script script;
    for (int i = 0; i < std::ssize(crushed.rest.vertices); ++i) {
      if (std::abs(crushed.rest.vertices[i].x() - 5 - side) > 1e-9) continue;
      script.vertices.push_back(i);
      script.start.push_back(crushed.rest.vertices[i]);
    }
    if (side > 0) script.motion.keys = {{0, Vec3::Zero(), 0}, {1 / 24.0, Vec3(-1.5, 0, 0), 0}};
    scene.model.scripts.push_back(script);
  }
  Obstacle ground = testing::half_space(Vec3::UnitY());
  ground.way = ContactWay::program;
  scene.add(ground);
  scene.finish({});
  const auto scheme = step_components(
      scene.model, [](const Model& part) { return make_joint_scheme({.name = "sdirk2"}, part, {}); });
  const double kinetic = energies_of(scene.model, scene.state).kinetic;
  for (int i = 0; i < 10; ++i) {
    const StepReport report = scheme->step(scene.state, 1 / 24.0);
    EXPECT_EQ(name(report.outcome.status), "not-finite");
    EXPECT_GE(report.contacts.smallest_gap, -1e-6) << "step " << i;
    EXPECT_TRUE(std::isfinite(report.energies.total()));
    EXPECT_LE(report.energies.kinetic, kinetic);
  }
  EXPECT_GT(scene.mean_velocity().y(), 0) << "it has bounced";
}

TEST(ContactProgram, PutsBackWhatACorrectionLeavesAtNoFiniteEnergyAndNothingElse) {
  // A platform that carries the bottom of one body past its top, which is held; the other one touches
  // nothing.
  testing::ContactScene scene;
  scene.add(testing::cube(1), testing::at({0, 0.5, 0}), {});
  scene.add(testing::cube(1), testing::at({5, 9, 0}), {.velocity = {0, 1, 0}});
  Body& caught = scene.model.bodies[0];
  scene.model.terms[0].potential = testing::make_sample("neo-hookean", caught.rest, 1e4);
  Script top;
  for (int i = 0; i < std::ssize(caught.rest.vertices); ++i) {
    if (caught.rest.vertices[i].y() < 0.9) continue;
    top.vertices.push_back(i);
    top.start.push_back(caught.rest.vertices[i]);
  }
  scene.model.scripts.push_back(top);
  Obstacle platform = testing::half_space(Vec3::UnitY());
  platform.way = ContactWay::program;
  platform.motion.keys = {{0, Vec3::Zero(), 0}, {0.1, Vec3(0, 1.5, 0), 0}};
  scene.add(platform);
  scene.finish({});
  const State before = scene.state;
  const auto scheme = make_joint_scheme({.name = "sdirk2"}, scene.model, {});
  const StepReport report = scheme->step(scene.state, 0.1);
  EXPECT_EQ(name(report.outcome.status), "not-finite");
  EXPECT_EQ(scene.state.x.head(24), before.x.head(24));
  EXPECT_EQ(scene.state.v.head(24), Vector::Zero(24));
  for (Index i = 8; i < 16; ++i) {
    EXPECT_NEAR(scene.state.x[3 * i + 1], before.x[3 * i + 1] + 0.1, 1e-9);
    EXPECT_NEAR(scene.state.v[3 * i + 1], 1, 1e-9);
  }
  const StepWork& work = report.work;
  EXPECT_NEAR(report.energies.total() - energies_of(scene.model, before).total(),
              work.script + work.contact + work.friction - work.damping - work.scheme,
              1e-9 * report.energies.total());
}

TEST(ContactProgram, IsPutBackWhereAScriptAndAPlatformPassEachOther) {
  // The top is pushed down, past where the bottom was, which gives way to it; then the platform carries the
  // bottom up past it. With the bottom where it was, the places of the script would be infinite.
  Cube cube({.cells = 1, .material = "neo-hookean"});
  Script top;
  for (int i = 0; i < 8; ++i) {
    const Vec3 place = cube.state.x.segment<3>(3 * Index{i});
    if (place.y() < 0) continue;
    top.vertices.push_back(i);
    top.start.push_back(place);
  }
  top.motion.keys = {{0, Vec3::Zero(), 0}, {0.1, Vec3(0, -1.2, 0), 0}};
  cube.model.scripts.push_back(top);
  Obstacle platform = testing::half_space(Vec3::UnitY());
  platform.way = ContactWay::program;
  platform.motion.keys = {{0, Vec3(0, -0.5, 0), 0}, {0.1, Vec3(0, 0.2, 0), 0}};
  cube.model.obstacles.push_back(platform);
  const State before = cube.state;
  State scripted = before;
  cube.model.apply_scripts(0.1, scripted.x, nullptr);
  ASSERT_FALSE(std::isfinite(energies_of(cube.model, scripted).total()));
  testing::add_contacts(cube.model);
  const auto scheme = make_joint_scheme({.name = "sdirk2"}, cube.model, {});
  const StepReport report = scheme->step(cube.state, 0.1);
  EXPECT_EQ(name(report.outcome.status), "not-finite");
  EXPECT_EQ(cube.state.x, before.x);
  EXPECT_EQ(cube.state.v, Vector::Zero(before.v.size()));
  // What the script has done is lost again.
  EXPECT_GT(report.work.script, 0);
  EXPECT_NEAR(report.work.scheme, report.work.script, 1e-6 * report.work.script);  // to the tolerance
  EXPECT_EQ(report.energies.total(), energies_of(cube.model, before).total());
}

}  // namespace
}  // namespace pliant::failed_step_test
