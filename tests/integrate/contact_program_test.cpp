#include "pliant/integrate/contact_program.hpp"

#include "integrate/contact_programs.hpp"
#include "integrate/scenes.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/timer.hpp"
#include "test_names.hpp"

namespace pliant::contact_program_test {
namespace {

using testing::at;
using testing::ContactScene;
using testing::corrected;
using testing::cube;
using testing::let_bodies_touch;
using testing::predictor;

const Vec3 kGravity(0, -9.81, 0);

Obstacle ground(double friction = 0) { return testing::program_ground(friction); }

class Predicted : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Schemes, Predicted,
                         ::testing::Values("backward-euler", "implicit-midpoint", "sdirk2", "tr-bdf2-b",
                                           "bdf2", "ros3pl", "generalized-alpha"),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param); });

TEST_P(Predicted, BouncesWithoutGainingEnergyWhateverThePhaseOfTheImpact) {
  for (int phase = 0; phase < 100; phase += 5) {
    ContactScene scene;
    scene.add(cube(1), at({0, 0.9 + 0.004 * phase, 0}, {0.3, 0.1 * phase, 0.7}),
              {.young = 2e4, .velocity = {0.5, -6, 0}});
    scene.add(ground());
    scene.finish({.gravity = kGravity});
    const auto scheme = corrected(scene.model, GetParam());
    const double start = energies_of(scene.model, scene.state).total();
    bool touched = false;
    for (int i = 0; i < 80; ++i) {
      const StepReport report = scheme->step(scene.state, 1 / 96.0);
      ASSERT_TRUE(is_converged(report.outcome.status)) << "phase " << phase << ", step " << i;
      ASSERT_LE(report.energies.total(), (1 + 1e-9) * start) << "phase " << phase << ", step " << i;
      touched |= report.contacts.count > 0;
    }
    EXPECT_TRUE(touched);
    EXPECT_GT(scene.lowest(), -0.02);
  }
}

TEST(ContactProgram, SaysThatContactsContradictEachOther) {
  // The lower side of the block is inside both of the ground and of what fills the space above it.
  ContactScene scene;
  scene.add(cube(1), at({0, 0.45, 0}), {});
  scene.add(ground());
  Obstacle above = testing::half_space(-Vec3::UnitY(), Vec3(0, -0.1, 0));
  above.way = ContactWay::program;
  scene.add(above);
  scene.finish({});
  const StepReport report = corrected(scene.model)->step(scene.state, 0.01);
  EXPECT_EQ(report.contacts.correction, Correction::contradictory);
  EXPECT_FALSE(is_converged(report.outcome.status));
  EXPECT_GT(report.contacts.correction_error, 1e-2);
  EXPECT_TRUE(scene.state.x.allFinite());
  EXPECT_LT((scene.center() - Vec3(0, 0.45, 0)).norm(), 1);
}

TEST(ContactProgram, LeavesNoHistoryOfBodiesThatItMoved) {
  for (const std::string name : {"bdf2", "generalized-alpha"}) {
    ContactScene scene;
    scene.add(cube(1), at({0, 0.5, 0}), {.velocity = {0, -2, 0}});
    scene.add(cube(1), at({3, 5, 0}), {.velocity = {0, 1, 0.3}});
    scene.add(ground());
    scene.finish({.gravity = kGravity});
    const auto scheme = corrected(scene.model, name);
    ASSERT_GT(scheme->step(scene.state, 1 / 96.0).contacts.count, 0);
    int histories = 0;
    for (const auto& [of, history] : scene.state.arrays) {
      if (history.of != EntryOf::vertex) continue;
      ++histories;
      for (Index i = 0; i < 16; ++i) EXPECT_EQ(history.holds[i], i >= 8) << of << i;  // eight vertices each
    }
    EXPECT_GT(histories, 0) << name;
  }
}

TEST(ContactProgram, LeavesBodiesThatTouchNothingAsPredictedToTheBit) {
  const auto make = [](ContactScene& scene) {
    scene.add(cube(1), at({0, 0.5, 0}), {.velocity = {0, -2, 0}});
    scene.add(cube(2), at({3, 5, 0}, {0.2, 0.4, 0}), {.velocity = {0, 1, 0.3}});
    scene.add(ground());
    scene.finish({.gravity = kGravity});
  };
  ContactScene with, without;
  make(with);
  make(without);
  const auto scheme = corrected(with.model), alone = predictor(without.model, "sdirk2");
  int touched = 0;
  for (int i = 0; i < 20; ++i) {
    touched += scheme->step(with.state, 0.01).contacts.count > 0;
    alone->step(without.state, 0.01);
  }
  EXPECT_GT(touched, 3);
  const Index first = 3 * Index{with.model.bodies[1].first_vertex};
  const Index rest = with.state.x.size() - first;
  EXPECT_EQ(with.state.x.tail(rest), without.state.x.tail(rest));
  EXPECT_EQ(with.state.v.tail(rest), without.state.v.tail(rest));
  EXPECT_NE(with.state.x.head(first), without.state.x.head(first));
  EXPECT_NE(with.state.v.head(first), without.state.v.head(first));
}

/// Pairs of cubes that run into each other, far from other pairs.
void add_pair(ContactScene& scene, double aside) {
  scene.add(cube(2), at({-0.6, aside, 0}, {0.2, 0, 0.1}), {.velocity = {2, 0, 0}});
  scene.add(cube(1), at({0.5, aside + 0.1, 0}, {0, 0.3, 0.1}), {.velocity = {-1, 0.2, 0}});
}

TEST(ContactProgram, SolvesForEachGroupOfBodiesThatTouchByItself) {
  ContactScene both, one, other;
  add_pair(both, 0);
  add_pair(both, 10);
  add_pair(one, 0);
  add_pair(other, 10);
  for (ContactScene* scene : {&both, &one, &other}) {
    scene->finish({});
    let_bodies_touch(*scene, 0.3);
  }
  const Index size = one.state.x.size();
  Index most = 0, at_once = 0;
  for (int i = 0; i < 20; ++i) {
    const Index of_both = corrected(both.model)->step(both.state, 0.01).contacts.count;
    const Index of_one = corrected(one.model)->step(one.state, 0.01).contacts.count;
    const Index of_other = corrected(other.model)->step(other.state, 0.01).contacts.count;
    EXPECT_EQ(of_both, of_one + of_other) << i;
    most = std::max({most, of_one, of_other});
    at_once = std::max(at_once, std::min(of_one, of_other));
    ASSERT_EQ(both.state.x.head(size), one.state.x) << i;
    ASSERT_EQ(both.state.x.tail(size), other.state.x) << i;
    ASSERT_EQ(both.state.v.head(size), one.state.v) << i;
    ASSERT_EQ(both.state.v.tail(size), other.state.v) << i;
  }
  EXPECT_GT(at_once, 1);
}

TEST(ContactProgram, CountsItsTimeAsThatOfContacts) {
  ContactScene with, without;
  for (ContactScene* scene : {&with, &without}) {
    scene->add(cube(4), at({0, scene == &with ? 0.5 : 5, 0}), {.velocity = {0, -1, 0}});
    scene->add(ground());
    scene->finish({});
  }
  double seconds[2] = {};
  const Timer all;
  for (int i = 0; i < 3; ++i) {
    seconds[0] += corrected(with.model)->step(with.state, 0.001).contacts.seconds;
    seconds[1] += corrected(without.model)->step(without.state, 0.001).contacts.seconds;
  }
  EXPECT_GT(seconds[0], seconds[1]);
  EXPECT_GT(seconds[0], 0.1 * all.seconds())
      << "factoring a matrix of the cube takes longer than a step of it";
}

TEST(ContactProgram, CountsTheRowsOfEachGroupByItself) {
  ContactScene scene;
  for (const double aside : {0.0, 10.0}) scene.add(cube(2), at({aside, 0.5, 0}), {.velocity = {0, -1, 0}});
  scene.add(ground());
  scene.finish({});
  const StepReport report = corrected(scene.model, "sdirk2", {.most_rows = 9})->step(scene.state, 0.01);
  EXPECT_TRUE(is_converged(report.outcome.status));
  EXPECT_EQ(report.contacts.count, 18);
}

TEST_P(Predicted, StepsFromWhatTheStateHoldsAloneWithContactAndFriction) {
  // A new scheme a step, and another number of threads, give the same bits.
  ContactScene scene;
  scene.add(cube(2), at({0, 0.75, 0}, {0, 0.3, 0}), {.velocity = {1, -2, 0}});
  scene.add(cube(2), at({0.3, 2, 0.1}, {0.1, 0, 0.1}), {.velocity = {0, -3, 0}});
  scene.add(ground(0.3));
  scene.finish({.gravity = kGravity});
  let_bodies_touch(scene, 0.3);
  const auto kept = corrected(scene.model, GetParam());
  State one = scene.state, other = scene.state;
  Index touched = 0, free = 0;
  for (int i = 0; i < 24; ++i) {
    set_threads(1);
    const Index count = kept->step(one, 0.01).contacts.count;
    set_threads(3);
    corrected(scene.model, GetParam())->step(other, 0.01);
    set_threads(0);
    (count > 0 ? touched : free) += 1;
    ASSERT_EQ(one.x, other.x) << i;
    ASSERT_EQ(one.v, other.v) << i;
  }
  EXPECT_GT(touched, 3);
  EXPECT_GT(free, 3);
}

TEST(ContactProgram, RestsOnTheGround) {
  ContactScene scene;
  scene.add(cube(2), at({0, 0.55, 0}), {});
  scene.add(ground());
  scene.finish({.gravity = kGravity, .mass_damping = 4});
  const auto scheme = corrected(scene.model);
  for (int i = 0; i < 300; ++i) scheme->step(scene.state, 0.01);
  EXPECT_NEAR(scene.lowest(), 0, 1e-3);
  EXPECT_LT(scene.state.v.lpNorm<Eigen::Infinity>(), 1e-2);
}

struct Stack {
  int cubes;
  double aside;        ///< of every second one, m
  double damping = 0;  ///< stiffness damping, s
};

/// By how much the energy of cubes on each other comes to lie above that of the start within a second, in
/// parts of it.
double energy_gained_at_rest(const std::string& name, double dt, const Stack& stack) {
  ContactScene scene;
  const auto small = Eigen::Scaling(0.2);
  for (int i = 0; i < stack.cubes; ++i)
    scene.add(cube(2), at({i % 2 * stack.aside, 0.1 + 0.2 * i, 0}) * small, {.young = 1e6});
  scene.add(ground());
  scene.finish({.gravity = kGravity});
  let_bodies_touch(scene);
  if (stack.damping > 0) {
    std::vector<const Potential*> elastic;
    for (int i = 0; i < stack.cubes; ++i) elastic.push_back(scene.model.terms[i].potential.get());
    scene.model.stage_terms.push_back(std::make_unique<StiffnessDamping>(elastic, stack.damping));
    scene.model.stage_terms[0]->attach(scene.model.pattern);
  }
  const double start = energies_of(scene.model, scene.state).total();
  const auto scheme = corrected(scene.model, name);
  double most = -start;
  Index touched = 0;
  for (int i = 0; i < 1 / dt; ++i) {
    const StepReport report = scheme->step(scene.state, dt);
    EXPECT_TRUE(is_converged(report.outcome.status)) << name << ", step " << i;
    EXPECT_TRUE(std::isfinite(report.energies.total())) << name << ", step " << i;
    most = std::max(most, report.energies.total() - start);
    touched += report.contacts.count > 0;
  }
  EXPECT_GT(touched, 0.5 / dt) << name;
  return most / start;
}

/// The most of some stacks.
double most_gained(const std::string& name, double dt) {
  double most = -1;
  for (const Stack& stack : {Stack{2, 0}, {2, 0.03}, {4, 0}, {4, 0.03}})
    most = std::max(most, energy_gained_at_rest(name, dt, stack));
  return most;
}

TEST(ContactProgram, GivesNoEnergyToStacksAtRest) {
  for (const char* name : {"sdirk2", "tr-bdf2", "tr-bdf2-b", "sdirk3", "esdirk-324", "ros3pl"}) {
    EXPECT_LT(most_gained(name, 0.005), 0) << name;
    EXPECT_LT(energy_gained_at_rest(name, 0.02, {1, 0}), 0) << name << ", on the ground alone";
  }
  for (const char* name : {"backward-euler", "bdf2", "sdirk-ncs23", "sdirk-nc34", "sdirk-3345", "sdirk-4347"})
    for (const double dt : {0.02, 0.01, 0.005}) EXPECT_LT(most_gained(name, dt), 0) << name << ", " << dt;
  EXPECT_LT(most_gained("esdirk-436", 0.0025), 0);
}

TEST(ContactProgram, GivesALittleEnergyToStacksAtRestWithSchemesThatDampNothing) {
  for (const char* name : {"implicit-midpoint", "trapezoidal", "newmark", "generalized-alpha"})
    EXPECT_LT(most_gained(name, 0.005), 1e-3) << name;
}

TEST(ContactProgram, GivesEnergyToAStackAtRestWithLongStepsAsTheDocsSay) {
  EXPECT_GT(energy_gained_at_rest("sdirk2", 0.02, {2, 0.03}), 0.003);
  EXPECT_LT(energy_gained_at_rest("sdirk2", 0.02, {2, 0.03}), 0.04);
  EXPECT_GT(energy_gained_at_rest("sdirk2", 0.01, {4, 0}), 0.05);
  EXPECT_LT(energy_gained_at_rest("sdirk2", 0.01, {4, 0, 1e-3}), 0.01);
  EXPECT_GT(energy_gained_at_rest("esdirk-436", 0.01, {2, 0.03}), 0.2);
}

TEST(ContactProgram, WorksOffADepthThatThereIs) {
  ContactScene scene;
  scene.add(cube(1), at({0, 0.4, 0}), {});
  scene.add(ground());
  scene.finish({.gravity = kGravity, .mass_damping = 2});
  const auto scheme = corrected(scene.model);
  double lowest = scene.lowest();
  EXPECT_NEAR(lowest, -0.1, 1e-9);
  for (int i = 0; i < 40; ++i) scheme->step(scene.state, 0.01);
  EXPECT_GT(scene.lowest(), -1e-3);
}

TEST(ContactProgram, StaysOutsideOfAPlatformThatStopsWithinAStep) {
  ContactScene scene;
  scene.add(cube(1), at({0, 0.5, 0}), {.young = 1e6});
  Obstacle platform = ground();
  platform.motion.keys = {{0, Vec3::Zero(), 0}, {0.255, Vec3(0, 0.2, 0), 0}};
  scene.add(platform);
  scene.finish({.gravity = kGravity});
  const auto scheme = corrected(scene.model);
  for (int i = 1; i <= 30; ++i) EXPECT_GT(scheme->step(scene.state, 0.01).contacts.smallest_gap, -1e-9) << i;
  EXPECT_GT(scene.lowest(), 0.2 - 1e-9);
}

TEST(ContactProgram, FailsWhereTheCorrectionTurnsElementsOver) {
  // The top is held, and a platform carries the bottom past it.
  testing::Cube cube({.cells = 1, .material = "neo-hookean"});
  Script top;
  for (int i = 0; i < 8; ++i) {
    const Vec3 place = cube.state.x.segment<3>(3 * Index{i});
    if (place.y() < 0) continue;
    top.vertices.push_back(i);
    top.start.push_back(place);
  }
  cube.model.scripts.push_back(top);
  Obstacle platform = ground();
  platform.motion.keys = {{0, Vec3(0, -0.5, 0), 0}, {0.1, Vec3(0, 0.7, 0), 0}};
  cube.model.obstacles.push_back(platform);
  testing::add_contacts(cube.model);
  const auto scheme = corrected(cube.model);
  const State before = cube.state;
  const StepReport report = scheme->step(cube.state, 0.1);
  EXPECT_EQ(name(report.outcome.status), "not-finite");
  EXPECT_EQ(cube.state.x, before.x);
  EXPECT_EQ(cube.state.v, Vector::Zero(before.v.size()));
  EXPECT_EQ(report.energies.total(), 0);
}

TEST(ContactProgram, HasNothingToSayWhereAllThatTouchesIsHeld) {
  // Two blocks that scripts push into each other would contradict any bound.
  ContactScene scene;
  scene.add(cube(1), at({0, 0, 0}), {});
  scene.add(cube(1), at({0.1, 1.2, 0.05}), {});
  scene.finish({.gravity = kGravity});
  for (const Body& body : scene.model.bodies) {
    Script script{.vertices = {}, .start = body.rest.vertices, .motion = {}};
    for (int i = 0; i < 8; ++i) script.vertices.push_back(body.first_vertex + i);
    if (body.first_vertex > 0) script.motion.keys = {{0, Vec3::Zero(), 0}, {1, Vec3(0, -0.6, 0), 0}};
    scene.model.scripts.push_back(std::move(script));
  }
  let_bodies_touch(scene);
  const auto scheme = corrected(scene.model);
  double overlap = 0;
  for (int i = 0; i < 100; ++i) {
    const StepReport report = scheme->step(scene.state, 0.01);
    EXPECT_TRUE(is_converged(report.outcome.status)) << i;
    EXPECT_EQ(report.contacts.count, 0);
    overlap = std::max(overlap, report.contacts.overlap);
  }
  EXPECT_GT(overlap, 0.05);
}

TEST(ContactProgram, KeepsTheMomentumOfBodiesThatCollide) {
  ContactScene scene;
  scene.add(cube(2), at({-0.6, 0, 0}), {.velocity = {2, 0, 0}});
  scene.add(cube(2), at({0.6, 0.13, 0.07}, {0.1, 0.2, 0}), {.velocity = {-1, 0, 0}});
  scene.finish({});
  let_bodies_touch(scene);
  const auto scheme = corrected(scene.model);
  const Vec3 before = scene.momentum();
  Index touched = 0;
  for (int i = 0; i < 60; ++i) {
    const StepReport report = scheme->step(scene.state, 0.01);
    touched += report.contacts.count;
    EXPECT_LT(report.contacts.overlap, 0.05);
  }
  EXPECT_GT(touched, 5);
  EXPECT_LT((scene.momentum() - before).norm(), 1e-6 * 3000);
  EXPECT_LT(scene.mean_velocity().x(), 0.6);
}

TEST(ContactProgram, GivesNoSpeedToWhatItPutsOutside) {
  // Nothing else moves or damps it: what it moves with is what the body springs back by from being pushed
  // out.
  ContactScene scene;
  scene.add(cube(2), at({0, 0.4, 0}), {.young = 1e5});
  scene.add(ground());
  scene.finish({});
  const auto scheme = corrected(scene.model);
  const double depth = -scene.lowest();
  EXPECT_NEAR(depth, 0.1, 1e-9);
  const StepReport report = scheme->step(scene.state, 0.01);
  EXPECT_GT(report.contacts.count, 0);
  EXPECT_NEAR(-scene.lowest(), 0.8 * depth, 1e-9);
  EXPECT_LT(scene.state.v.lpNorm<Eigen::Infinity>(), 1e-12);
  EXPECT_NEAR(report.energies.kinetic, 0, 1e-20);
}

TEST(ContactProgram, HasTheDampingInItsMatrixWhereItIsAskedFor) {
  // An impulse changes velocities by C^-1 of what acts at the vertices that touch: C times the change
  // vanishes everywhere else, for that C which the program has.
  for (const bool damped : {false, true}) {
    ContactScene scene;
    scene.add(cube(2), at({0, 0.51, 0}), {.young = 1e4, .velocity = {0, -3, 0}});
    scene.add(ground());
    scene.finish({});
    scene.model.stage_terms.push_back(std::make_unique<StiffnessDamping>(
        std::vector<const Potential*>{scene.model.terms[0].potential.get()}, 0.05));
    scene.model.stage_terms[0]->attach(scene.model.pattern);
    State free = scene.state;
    predictor(scene.model, "sdirk2")->step(free, 0.01);
    corrected(scene.model, "sdirk2", {.damped = damped})->step(scene.state, 0.01);
    const Vector change = scene.state.v - free.v;
    ASSERT_GT(change.norm(), 1);
    const auto left = [&](bool with_damping) {
      StageObjective objective(scene.model, ResidualNorm::velocity);
      Stage stage;
      stage.time = 0.01;
      stage.c_a = 1e4;
      stage.c_v = with_damping ? 1e2 : 0;
      stage.x_a = stage.x_v = stage.x_step = free.x;
      objective.begin(stage);
      Vector acts;
      objective.hessian(free.x, Definiteness::clamp).multiply(change, acts);
      double touching = 0, others = 0;
      for (Index d = 0; d < acts.size(); ++d) {
        const bool touches = free.x[d / 3 * 3 + 1] < 0 && d % 3 == 1;
        (touches ? touching : others) += std::abs(acts[d]);
      }
      return others / touching;
    };
    EXPECT_LT(left(damped), 1e-9) << damped;
    EXPECT_GT(left(!damped), 1e-3) << damped;
  }
}

TEST(ContactProgram, FailsAStepWithMoreContactsThanItMayHoldAndLeavesItAsPredicted) {
  ContactScene scene;
  scene.add(cube(2), at({0, 0.5, 0}), {.velocity = {0, -1, 0}});
  scene.add(ground());
  scene.finish({});
  State predicted = scene.state;
  predictor(scene.model, "sdirk2")->step(predicted, 0.01);
  State state = scene.state;
  const StepReport refused = corrected(scene.model, "sdirk2", {.most_rows = 8})->step(state, 0.01);
  EXPECT_EQ(refused.contacts.correction, Correction::too_large);
  EXPECT_EQ(refused.contacts.correction_error, std::numeric_limits<double>::infinity());
  EXPECT_EQ(name(refused.outcome.status), "iteration-limit");
  EXPECT_EQ(state.x, predicted.x);
  EXPECT_EQ(state.v, predicted.v);
  state = scene.state;
  const StepReport held = corrected(scene.model, "sdirk2", {.most_rows = 9})->step(state, 0.01);
  EXPECT_TRUE(is_converged(held.outcome.status));
  EXPECT_EQ(held.contacts.count, 9);
}

TEST(ContactProgram, MissesAThinBodyThatIsCrossedWithinAStepAndSeesItInShorterOnes) {
  const auto lowest_after = [](double dt) {
    ContactScene scene;
    scene.add(make_box({Vec3(0.2, 0.05, 0.2), {1, 1, 1}, 5}), at({0, 0.1, 0}), {.velocity = {0, -30, 0}});
    Obstacle plate = ground();
    plate.shape = make_box_shape({2, 0.1, 2}, 0);
    scene.add(plate);
    scene.finish({});
    const auto scheme = corrected(scene.model);
    for (int i = 0; i < std::lround(0.01 / dt); ++i) scheme->step(scene.state, dt);
    return scene.lowest();
  };
  EXPECT_LT(lowest_after(0.01), -0.1);
  EXPECT_GT(lowest_after(0.001), 0);
}

}  // namespace
}  // namespace pliant::contact_program_test
