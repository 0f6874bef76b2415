#include "pliant/integrate/position_based.hpp"

#include "errors.hpp"
#include "meshes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/integrate/backward_euler.hpp"
#include "pliant/integrate/schemes.hpp"
#include "pliant/mesh/cloth.hpp"
#include "pliant/potential/gravity.hpp"
#include "pliant/potential/solid.hpp"

namespace pliant::position_based_test {
namespace {

/// A cloth of springs that hangs by two corners.
struct Curtain {
  Model model;
  State state;

  explicit Curtain(double young = 1e5, int cells = 6) {
    const TriangleMesh cloth = make_cloth_rectangle({.size = {1, 1}, .cells = {cells, cells}});
    Body body{"curtain", {}, 0};
    body.rest.vertices = cloth.vertices;
    body.rest.triangles = cloth.triangles;
    body.rest.thickness = 0.001;
    for (const auto& t : cloth.triangles)
      for (int k = 0; k < 3; ++k)
        body.rest.edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    std::sort(body.rest.edges.begin(), body.rest.edges.end());
    body.rest.edges.erase(std::unique(body.rest.edges.begin(), body.rest.edges.end()), body.rest.edges.end());
    model.mass =
        Vector::Constant(std::ssize(cloth.vertices), 1.0 / static_cast<double>(cloth.vertices.size()));
    model.terms.push_back({"curtain", kElasticEnergy, make_springs(body.rest, 0, young)});
    model.terms.push_back(
        {"", kGravitationalEnergy, std::make_unique<Gravity>(model.mass, Vec3(0, -9.81, 0))});
    Script held;
    for (const int corner : {0, cells}) {
      held.vertices.push_back(corner);
      held.start.push_back(cloth.vertices[corner]);
    }
    model.scripts.push_back(held);
    state.x = testing::positions(body.rest);
    state.v = Vector::Zero(state.x.size());
    model.bodies.push_back(std::move(body));
    model.finish();
  }
  Curtain(const Curtain&) = delete;

  void run(Scheme& scheme, int steps) {
    for (int i = 0; i < steps; ++i) scheme.step(state, 1.0 / 30);
  }
  /// By how much springs are longer than at rest in the mean.
  double stretch() const {
    double sum = 0;
    const auto springs = springs_of(*model.terms[0].potential);
    for (const SpringAt& s : springs)
      sum += std::max(0.0, (state.x.segment<3>(3 * s.a) - state.x.segment<3>(3 * s.b)).norm() / s.length - 1);
    return sum / static_cast<double>(springs.size());
  }
};

TEST(PositionBased, MovesFreeBodiesAsGravityDoes) {
  Curtain curtain;
  curtain.model.scripts.clear();
  curtain.model.finish();
  for (const PositionWay way : {PositionWay::pbd, PositionWay::xpbd, PositionWay::step_and_project}) {
    State state = curtain.state;
    PositionBased scheme(curtain.model, {.way = way});
    for (int i = 0; i < 10; ++i) scheme.step(state, 0.01);
    EXPECT_NEAR(state.v[1], -0.981, 1e-10);
    // As backward Euler has it: h^2 g (1 + 2 + ... + 10).
    EXPECT_NEAR(state.x[1] - curtain.state.x[1], -9.81e-4 * 55, 1e-10);
  }
}

/// liu-2018, section 5.3.
TEST(PositionBased, PbdGetsStifferWithItsIterationsAndXpbdDoesNot) {
  const auto stretch = [](PositionWay way, int iterations, double stiffness) {
    Curtain curtain(2e4);
    PositionBased scheme(curtain.model, {.way = way, .iterations = iterations, .stiffness = stiffness});
    curtain.run(scheme, 60);
    return curtain.stretch();
  };
  EXPECT_LT(stretch(PositionWay::pbd, 50, 1), 0.7 * stretch(PositionWay::pbd, 3, 1));
  EXPECT_NEAR(stretch(PositionWay::xpbd, 200, 1) / stretch(PositionWay::xpbd, 800, 1), 1, 0.05);
}

/// Not to it: each correction goes along the springs as they lie when it is made.
TEST(PositionBased, XpbdComesCloseToBackwardEuler) {
  Curtain exact(2e4), close(2e4);
  BackwardEuler euler(exact.model, {.tolerance = 1e-8});
  PositionBased many(close.model, {.way = PositionWay::xpbd, .iterations = 500});
  exact.run(euler, 20);
  close.run(many, 20);
  EXPECT_LT((close.state.x - exact.state.x).norm(), 0.02 * (exact.state.x - Curtain().state.x).norm());
}

TEST(PositionBased, StepAndProjectKeepsSpringsAtTheirLengths) {
  Curtain curtain;
  PositionBased scheme(curtain.model, {.way = PositionWay::step_and_project, .iterations = 5});
  for (int i = 0; i < 5; ++i) {
    const StepReport report = scheme.step(curtain.state, 1.0 / 60);
    EXPECT_EQ(name(report.outcome.status), "as-asked");
    EXPECT_LT(report.outcome.residual, 0.05 * report.outcome.first_residual);
  }
}

TEST(PositionBased, LeavesScriptedVerticesAlone) {
  Curtain curtain;
  const Vec3 before = curtain.state.x.segment<3>(0);
  PositionBased scheme(curtain.model, {});
  curtain.run(scheme, 10);
  EXPECT_EQ(Vec3(curtain.state.x.segment<3>(0)), before);
  EXPECT_EQ(Vec3(curtain.state.v.segment<3>(0)), Vec3::Zero());
}

TEST(PositionBased, RefusesWhatIsNotMadeOfSprings) {
  Model model;
  model.bodies.push_back({"cube", testing::cube(1), 0});
  model.mass = Vector::Ones(8);
  model.terms.push_back(
      {"cube", kElasticEnergy, make_solid("corotated", model.bodies[0].rest, 0, lame(1e4, 0.3))});
  model.finish();
  EXPECT_ERROR(InputError, "is not made of springs", PositionBased(model, {}));
}

TEST(ExplicitSchemes, AreOfTheOrderTheyPromise) {
  const auto end = [](const std::string& name, int steps) {
    Curtain curtain(1e5, 2);
    const auto scheme = make_joint_scheme({.name = name}, curtain.model, {});
    for (int i = 0; i < steps; ++i) scheme->step(curtain.state, 0.1 / steps);
    return curtain.state.x;
  };
  const Vector exact = end("rk4", 4096);
  for (const auto& [name, order, steps] :
       {std::tuple("forward-euler", 1, 512), {"symplectic-euler", 1, 512}, {"rk2", 2, 128}, {"rk4", 4, 16}}) {
    const double coarse = (end(name, steps) - exact).norm(), fine = (end(name, 2 * steps) - exact).norm();
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.15) << name;
  }
}

TEST(SymplecticEuler, KeepsEnergyOverLongTimes) {
  Curtain curtain(1e5, 2);
  const auto scheme = make_joint_scheme({.name = "symplectic-euler"}, curtain.model, {});
  const auto forward = make_joint_scheme({.name = "forward-euler"}, curtain.model, {});
  State state = curtain.state, other = curtain.state;
  const double start = energies_of(curtain.model, state).total();
  double largest = 0, scale = 0;
  for (int i = 0; i < 4000; ++i) {
    const StepReport report = scheme->step(state, 1e-3);
    largest = std::max(largest, std::abs(report.energies.total() - start));
    scale = std::max(scale, report.energies.kinetic);
    forward->step(other, 1e-3);
  }
  EXPECT_LT(largest, 0.05 * scale);
  EXPECT_GT(std::abs(energies_of(curtain.model, other).total() - start), 5 * largest);
}

}  // namespace
}  // namespace pliant::position_based_test
