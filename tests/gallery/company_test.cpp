// Bodies that do not touch know nothing of each other.
#include "pliant/scene/scene.hpp"

namespace pliant::company_test {
namespace {

const std::string kHead = "name = \"Company\"\ngravity = [0, -9.81, 1]\nduration = 0.5\n";

/// Tangled, dragged, held and planar ones, which take very different numbers of iterations.
const std::string kBodies[] = {
    R"(
[[body]]
name = "tangled"
shape = { kind = "box", size = [1, 1, 1], cells = [4, 4, 4] }
material = { model = "fixed-corotated", young = 1e5, poisson = 0.3, density = 1000 }
damping = { stiffness = 1e-3 }
start = { randomise = 0.5 }
)",
    R"(
[[body]]
name = "dragged"
translate = [3, 0, 0]
shape = { kind = "box", size = [1, 0.5, 0.5], cells = [6, 3, 3] }
material = { model = "neo-hookean", young = 1e3, poisson = 0.4, density = 1000 }
damping = { mass = 0.1 }
[[body.attachment]]
region = { plane = { point = [3.45, 0, 0], normal = [1, 0, 0] } }
stiffness = 1e4
keys = [{ time = 0 }, { time = 0.5, translate = [1, 0, 0], angle = 90 }]
)",
    R"(
[[body]]
name = "held"
translate = [6, 0, 0]
shape = { kind = "box", size = [2, 0.2, 0.2], cells = [10, 2, 2] }
material = { model = "stable-neo-hookean", young = 1e6, poisson = 0.3, density = 1000 }
damping = { stiffness = 2e-3, mass = 0.2 }
[[body.script]]
region = { plane = { point = [5.01, 0, 0], normal = [-1, 0, 0] } }
)",
    R"(
[[body]]
name = "planar"
translate = [0, 3, 0]
shape = { kind = "rectangle", size = [1, 0.5, 1], cells = [8, 4, 1] }
material = { model = "fixed-corotated", young = 1e4, poisson = 0.3, density = 1000 }
start = { stretch = [1.5, 1, 1] }
)"};

struct Film {
  Simulation simulation;
  std::vector<Outcome> outcomes;

  explicit Film(const std::string& bodies)
      : simulation(build(place_scene(parse_scene(kHead + bodies, "company.toml"), "."))) {
    for (int step = 0; step < 6; ++step)
      outcomes.push_back(simulation.scheme->step(simulation.state, 1 / simulation.frame_rate).outcome);
  }
};

TEST(Company, EveryBodyMovesBitByBitAsItDoesAlone) {
  std::string all;
  for (const std::string& body : kBodies) all += body;
  const Film company(all);
  for (size_t i = 0; i < std::size(kBodies); ++i) {
    const Film alone(kBodies[i]);
    const Body& body = company.simulation.model->bodies[i];
    const Index size = 3 * std::ssize(body.rest.vertices);
    EXPECT_EQ(company.simulation.state.x.segment(3 * Index{body.first_vertex}, size),
              alone.simulation.state.x)
        << body.name;
    for (size_t step = 0; step < alone.outcomes.size(); ++step) {
      EXPECT_TRUE(is_converged(company.outcomes[step].status)) << step;
      EXPECT_GE(company.outcomes[step].iterations, alone.outcomes[step].iterations) << body.name;
      EXPECT_GE(company.outcomes[step].residual, alone.outcomes[step].residual) << body.name;
    }
  }
}

TEST(Company, CountsAreSumsOverTheBodies) {
  const Film company(kBodies[1] + kBodies[2]), first(kBodies[1]), second(kBodies[2]);
  for (size_t step = 0; step < company.outcomes.size(); ++step) {
    const Outcome &whole = company.outcomes[step], &a = first.outcomes[step], &b = second.outcomes[step];
    EXPECT_EQ(whole.iterations, std::max(a.iterations, b.iterations));
    EXPECT_EQ(whole.linear_solves, a.linear_solves + b.linear_solves);
    EXPECT_EQ(whole.cg_iterations, a.cg_iterations + b.cg_iterations);
    EXPECT_EQ(whole.evaluations, a.evaluations + b.evaluations);
  }
}

TEST(Company, TheWorstPlaceIsNamedInTheBodyThatDidNotConverge) {
  Simulation simulation = build(place_scene(
      parse_scene(kHead + "solver = { max_iterations = 8 }\n" + kBodies[2] + kBodies[0], "s.toml"), "."));
  const StepReport report = simulation.scheme->step(simulation.state, 1 / simulation.frame_rate);
  EXPECT_EQ(report.outcome.status, Status::iteration_limit);
  EXPECT_EQ(report.worst.body, "tangled");
  const TetMesh& rest = simulation.model->bodies[1].rest;
  ASSERT_LT(report.worst.vertex, std::ssize(rest.vertices));
  ASSERT_GE(report.worst.element, 0);
  const auto corners = rest.element(static_cast<size_t>(report.worst.element));
  EXPECT_NE(std::find(corners.begin(), corners.end(), report.worst.vertex), corners.end());
}

}  // namespace
}  // namespace pliant::company_test
