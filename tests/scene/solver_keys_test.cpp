#include "errors.hpp"
#include "scene/complaints.hpp"

namespace pliant::solver_keys_test {
namespace {

std::string with_solver(const std::string& lines) {
  return kHead + "[solver]\n" + lines + "[[body]]\nshape = { kind = \"cloth\" }\n";
}

TEST(LocalGlobal, RefusesWhatIsForLbfgs) {
  for (const std::string line :
       {"lbfgs.window = 3\n", "lbfgs.newton_below = 1e-3\n", "lbfgs.initial = \"rest\"\n",
        "lbfgs.search = \"strong-wolfe\"\n", "cg_iterations = 15\n"}) {
    const std::string key = line.substr(0, line.find(' '));
    EXPECT_EQ(complaints_about(with_solver("method = \"lbfgs\"\n" + line)), "");
    const std::string complaint = complaints_about(with_solver("method = \"local-global\"\n" + line));
    EXPECT_TRUE(contains(complaint, "s.toml:6:")) << complaint;
    EXPECT_TRUE(contains(complaint, "local-global has no " + key + ", which is for lbfgs")) << complaint;
    EXPECT_TRUE(contains(complaint, "method = \"lbfgs\" with lbfgs.window = 0")) << complaint;
  }
  EXPECT_EQ(complaints_about(with_solver("method = \"local-global\"\niterations = 10\n")), "");
}

TEST(Solver, KeysOfLbfgsThatHaveMovedAreSaidToBeInATableOfTheirOwn) {
  const std::string complaint = complaints_about(with_solver("window = 3\n"));
  EXPECT_TRUE(contains(complaint, "s.toml:5:")) << complaint;
  EXPECT_TRUE(contains(complaint, "\"window\" has moved: it is lbfgs.window now")) << complaint;
}

TEST(Solver, EachSafeguardCanBeSwitchedOff) {
  for (const SolverMethod& kind : safeguard_kinds()) {
    const std::string line = "safeguards." + std::string(kind.name) + " = false\n";
    EXPECT_EQ(complaints_about(with_solver(line)), "") << kind.name;
    const SafeguardSwitches on = parse_scene(with_solver(line), "s.toml").solver.safeguards;
    EXPECT_EQ(on.guesses + on.walls + on.places + on.rotations, 3) << kind.name;
  }
}

TEST(LocalGlobal, RefusesObstaclesThatAreConstraints) {
  const auto with_ground = [](const std::string& contact) {
    const std::string body =
        "[[body]]\nshape = { kind = \"box\" }\nmaterial = { model = \"springs\" }\ntranslate = [0, 1, 0]\n";
    return build(place_scene(
        parse_scene(kHead + "[solver]\nmethod = \"local-global\"\n" + body +
                        "[[obstacle]]\nshape = { kind = \"plane\" }\ntranslate = [0, -2, 0]\ncontact = \"" +
                        contact + "\"\n",
                    "s.toml"),
        "."));
  };
  EXPECT_ERROR(InputError, "solver local-global takes full steps", with_ground("constraint"));
  EXPECT_ERROR(InputError, "solver local-global takes full steps", with_ground("penalty"));
}

TEST(LocalGlobal, TakesTheSceneThatItResolvesTo) {
  const Simulation simulation =
      build(place_scene(parse_scene(with_solver("method = \"local-global\"\n"), "s.toml"), "."));
  EXPECT_EQ(complaints_about(simulation.scene_text), "");
}

}  // namespace
}  // namespace pliant::solver_keys_test
