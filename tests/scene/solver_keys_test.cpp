#include "scene/complaints.hpp"

namespace pliant::solver_keys_test {
namespace {

std::string with_solver(const std::string& lines) {
  return kHead + "[solver]\n" + lines + "[[body]]\nshape = { kind = \"cloth\" }\n";
}

TEST(LocalGlobal, RefusesWhatIsForLbfgs) {
  for (const std::string line : {"window = 3\n", "newton_below = 1e-3\n", "initial = \"rest\"\n",
                                 "search = \"strong-wolfe\"\n", "cg_iterations = 15\n"}) {
    const std::string key = line.substr(0, line.find(' '));
    EXPECT_EQ(complaints_about(with_solver("method = \"lbfgs\"\n" + line)), "");
    const std::string complaint = complaints_about(with_solver("method = \"local-global\"\n" + line));
    EXPECT_TRUE(contains(complaint, "s.toml:6:")) << complaint;
    EXPECT_TRUE(contains(complaint, "local-global has no " + key + ", which is for lbfgs")) << complaint;
    EXPECT_TRUE(contains(complaint, "method = \"lbfgs\" with window = 0")) << complaint;
  }
  EXPECT_EQ(complaints_about(with_solver("method = \"local-global\"\niterations = 10\n")), "");
}

TEST(LocalGlobal, RefusesObstaclesThatAreConstraints) {
  const auto with_ground = [](const std::string& contact) {
    const std::string body = "[[body]]\nshape = { kind = \"box\" }\nmaterial = { model = \"springs\" }\n";
    return build(place_scene(
        parse_scene(kHead + "[solver]\nmethod = \"local-global\"\n" + body +
                        "[[obstacle]]\nshape = { kind = \"plane\" }\ncontact = \"" + contact + "\"\n",
                    "s.toml"),
        "."));
  };
  EXPECT_THROW(with_ground("constraint"), InputError);
  EXPECT_THROW(with_ground("penalty"), InputError);
}

TEST(LocalGlobal, TakesTheSceneThatItResolvesTo) {
  const Simulation simulation =
      build(place_scene(parse_scene(with_solver("method = \"local-global\"\n"), "s.toml"), "."));
  EXPECT_EQ(complaints_about(simulation.scene_text), "");
}

}  // namespace
}  // namespace pliant::solver_keys_test
