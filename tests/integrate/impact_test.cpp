// A point and a ball that hit a plane, at 100 phases of the step, with every scheme: energy never comes from
// nowhere.
#include "integrate/contact_scenes.hpp"
#include "pliant/integrate/contact_program.hpp"
#include "pliant/integrate/schemes.hpp"
#include "test_names.hpp"

namespace pliant::impact_test {
namespace {

using testing::at;
using testing::ball;
using testing::contact_solver;
using testing::ContactScene;
using testing::half_space;

constexpr int kPhases = 100;
constexpr double kStep = 1 / 48.0, kSpeed = 5;

/// A scheme, and what keeps bodies outside.
struct Way {
  std::string scheme;
  ContactWay contact = ContactWay::program;

  std::string name() const {
    return scheme + (contact == ContactWay::program ? "-by-program" : "-by-constraint");
  }
};

std::ostream& operator<<(std::ostream& out, const Way& way) { return out << way.name(); }

/// Constraints with those that can have them, a program with all.
std::vector<Way> all_ways() {
  std::vector<Way> ways;
  for (const SchemeKind& kind : scheme_kinds()) {
    if (!kind.implicit || kind.name == "runge-kutta") continue;
    const std::string name(kind.name);
    ways.push_back({name});
    if (ends_with_a_stage({.name = name})) ways.push_back({name, ContactWay::constraint});
  }
  return ways;
}

class Impact : public ::testing::TestWithParam<Way> {
 protected:
  /// Something that reaches the plane after `phase` hundredths of the first step.
  static double height(int phase) { return kSpeed * kStep * phase / kPhases; }

  Obstacle plane() const {
    Obstacle obstacle = half_space(Vec3::UnitY());
    obstacle.way = GetParam().contact;
    return obstacle;
  }

  /// No step may have more energy than the start.
  void expect_no_energy_from_nowhere(const Model& model, State& state, int steps, int phase) const {
    const auto scheme = make_joint_scheme({.name = GetParam().scheme}, model, contact_solver());
    const double start = energies_of(model, state).total();
    Index touched = 0;
    for (int i = 0; i < steps; ++i) {
      const StepReport report = scheme->step(state, kStep);
      ASSERT_TRUE(is_converged(report.outcome.status)) << "phase " << phase << ", step " << i;
      ASSERT_LE(report.energies.total(), (1 + 1e-9) * start) << "phase " << phase << ", step " << i;
      touched += report.contacts.count;
    }
    EXPECT_GT(touched, 0) << "phase " << phase;
  }
};

INSTANTIATE_TEST_SUITE_P(Schemes, Impact, ::testing::ValuesIn(all_ways()),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param.name()); });

TEST_P(Impact, OfAPointLeavesItNoFasterThanItCame) {
  for (int phase = 0; phase < kPhases; ++phase) {
    Model model;
    State state;
    model.mass = Vector::Constant(1, 2);
    model.bodies.push_back({"point", TetMesh{{Vec3::Zero()}, {}}, 0});
    model.terms.push_back(
        {"", kGravitationalEnergy, std::make_unique<Gravity>(model.mass, Vec3(0, -9.81, 0))});
    model.obstacles.push_back(plane());
    testing::add_contacts(model);
    model.finish();
    model.diameter = 1;
    state.x = Vec3(0, height(phase), 0);
    state.v = Vec3(0.5, -kSpeed, 0);
    expect_no_energy_from_nowhere(model, state, 10, phase);
    EXPECT_NEAR(state.x[1], 0, 1e-9);  // a point has nothing to bounce with
    EXPECT_NEAR(state.v[1], 0, 1e-9);
  }
}

TEST_P(Impact, OfABallLeavesItNoMoreEnergyThanItCameWith) {
  const TetMesh mesh = ball(0.5, 0.6);
  for (int phase = 0; phase < kPhases; ++phase) {
    ContactScene scene;
    scene.add(mesh, at(Vec3::Zero(), {0.3, 0.1 * phase, 0.7}), {.young = 2e5, .velocity = {0.5, -kSpeed, 0}});
    scene.add(plane());
    scene.finish({});
    const double up = height(phase) - scene.lowest();
    for (Index d = 1; d < scene.state.x.size(); d += 3) scene.state.x[d] += up;
    expect_no_energy_from_nowhere(scene.model, scene.state, 12, phase);
    EXPECT_GT(scene.mean_velocity().y(), 0) << "phase " << phase;  // it has bounced
  }
}

}  // namespace
}  // namespace pliant::impact_test
