#include "pliant/integrate/schemes.hpp"

#include "errors.hpp"
#include "scene/complaints.hpp"

namespace pliant::schemes_test {
namespace {

const std::string kPlane =
    "[[obstacle]]\nshape = { kind = \"plane\", normal = [0, 1, 0] }\ntranslate = [0, -3, 0]\n";

std::string with_time(const std::string& lines) { return kHead + "[time]\n" + lines + kBody; }

TEST(Schemes, RunByName) {
  for (const SchemeKind& kind : scheme_kinds()) {
    if (!kind.implicit || kind.name == "runge-kutta") continue;
    Simulation simulation = build(
        place_scene(parse_scene(with_time("scheme = \"" + std::string(kind.name) + "\"\n"), "s.toml"), "."));
    EXPECT_TRUE(is_converged(simulation.scheme->step(simulation.state, 0.1).outcome.status)) << kind.name;
    // All of them are exact in free fall but for backward Euler, and BDF2, which starts with it.
    const bool first_order = kind.name == "backward-euler" || kind.name == "bdf2";
    EXPECT_NEAR(simulation.state.x[1], -0.5 - 9.81 * 0.01 * (first_order ? 1 : 0.5), 1e-9) << kind.name;
  }
}

TEST(Schemes, OfOnesOwnRunAsThoseTheyAre) {
  const std::string tableau =
      "tableau = { a = [0.5857864376269049, 0.5, 0.5], b = [0.5, 0.5], c = [0.5857864376269049, 1.0] }\n";
  const std::string text = with_time("scheme = \"runge-kutta\"\n" + tableau);
  Simulation simulation = build(place_scene(parse_scene(text, "s.toml"), "."));
  EXPECT_TRUE(is_converged(simulation.scheme->step(simulation.state, 0.1).outcome.status));
  // The resolved scene says the same.
  EXPECT_EQ(complaints_about(simulation.scene_text), "");
  EXPECT_EQ(parse_scene(simulation.scene_text, "s.toml").time.tableau->a.size(), 3u);
}

TEST(Schemes, ChooseTheirStepsByATolerance) {
  const Simulation simulation =
      build(place_scene(parse_scene(with_time("scheme = \"tr-bdf2\"\ntolerance = 1e-4\n"), "s.toml"), "."));
  EXPECT_EQ(simulation.step_tolerance, 1e-4);
  EXPECT_EQ(complaints_about(with_time("tolerance = 1e-4\nsteps_per_frame = 2\n")),
            "s.toml:5:13: tolerance chooses the steps, and steps_per_frame gives them; leave one out, "
            "or set steps_per_frame to 1");
  EXPECT_TRUE(contains(complaints_about(with_time("scheme = \"bdf2\"\ntolerance = 1e-4\n")),
                       "s.toml:6:13: bdf2 starts anew whenever the step changes"));
  EXPECT_TRUE(contains(complaints_about(with_time("scheme = \"pbd\"\ntolerance = 1e-4\n")),
                       "pbd projects once a step however short it is"));
}

TEST(Schemes, OfOnesOwnMustBeComplete) {
  EXPECT_EQ(complaints_about(with_time("scheme = \"runge-kutta\"\n")),
            "s.toml:5:10: scheme = \"runge-kutta\" needs a tableau = { a = [...], b = [...], c = [...] }");
  EXPECT_EQ(complaints_about(with_time("tableau = { a = [1], b = [1], c = [1] }\n")),
            "s.toml:4:1: tableau is for scheme = \"runge-kutta\", not for \"backward-euler\"");
  EXPECT_TRUE(contains(
      complaints_about(with_time("scheme = \"runge-kutta\"\ntableau = { a = [1, 2], b = [1], c = [1] }\n")),
      "a has 2 numbers, b has 1 and c has 1; with 1 weights, a needs 1 and c 1"));
  EXPECT_TRUE(contains(
      complaints_about(with_time("scheme = \"runge-kutta\"\ntableau = { a = [], b = [], c = [] }\n")),
      "b has no weights; give one for each stage"));
  EXPECT_TRUE(contains(
      complaints_about(with_time("scheme = \"runge-kutta\"\ntableau = { a = [0.5], b = [1], c = [1] }\n")),
      "c must be the sums of the rows of a; it is off by 0.5"));
}

TEST(Schemes, ThatCannotHoldBodiesSayWhatCan) {
  const std::string complaint = complaints_about(with_time("scheme = \"implicit-midpoint\"\n") + kPlane);
  EXPECT_TRUE(contains(complaint, "s.toml:4:1: scheme implicit-midpoint cannot hold bodies outside"))
      << complaint;
  EXPECT_EQ(
      complaints_about(with_time("scheme = \"implicit-midpoint\"\n") + kPlane + "contact = \"penalty\"\n"),
      "");
  EXPECT_EQ(complaints_about(with_time("scheme = \"sdirk2\"\n") + kPlane), "");
}

TEST(ConsistentMass, KnowsPenaltiesWithoutFriction) {
  const std::string body = kHead + kBody + "material = { mass = \"consistent\" }\n",
                    refused = "a consistent mass matrix knows no contact but penalties without friction";
  EXPECT_EQ(complaints_about(body), "");
  EXPECT_TRUE(contains(complaints_about(body + kPlane), refused));
  EXPECT_EQ(complaints_about(body + kPlane + "contact = \"penalty\"\n"), "");
  EXPECT_TRUE(contains(complaints_about(body + kPlane + "contact = \"penalty\"\nfriction = 0.5\n"), refused));
  EXPECT_TRUE(
      contains(complaints_about(body + "[contact]\nself_collision = true\nmethod = \"program\"\n"), refused));
  Simulation simulation = build(place_scene(parse_scene(body, "s.toml"), "."));
  EXPECT_TRUE(simulation.model->consistent_mass.has_value());
}

TEST(ContactProgram, IsRefusedWithObstaclesThatAreConstraintsAndWithBodiesThatStartInsideEachOther) {
  const std::string program = "[contact]\nself_collision = true\nmethod = \"program\"\n";
  EXPECT_TRUE(
      contains(complaints_about(kHead + program + kBody + kPlane), "into obstacles that are constraints"));
  EXPECT_EQ(complaints_about(kHead + program + kBody + kPlane + "contact = \"program\"\n"), "");
  EXPECT_ERROR(InputError, "starts inside body",
               build(place_scene(
                   parse_scene(kHead + program + kBody +
                                   "[[body]]\nshape = { cells = [2, 2, 2] }\ntranslate = [0.3, 0.2, 0.1]\n",
                               "s.toml"),
                   ".")));
}

TEST(LaggedCorotated, TakesOneIterationAStage) {
  const std::string text =
      kHead + "[solver]\nmethod = \"newton-cholesky\"\n" + kBody +
      "material = { model = \"lagged-corotated\" }\nstart = { stretch = [1.5, 0.8, 1] }\n";
  for (const char* scheme : {"backward-euler", "sdirk2"}) {
    Simulation simulation =
        build(place_scene(parse_scene(text, "s.toml", {std::string("time.scheme=") + scheme}), "."));
    for (int i = 0; i < 5; ++i) {
      const StepReport report = simulation.scheme->step(simulation.state, 0.01);
      EXPECT_TRUE(is_converged(report.outcome.status));
      EXPECT_LE(report.outcome.iterations, scheme == std::string("sdirk2") ? 2 : 1);
      EXPECT_GT(report.energies.of("elastic"), 0);
    }
  }
}

}  // namespace
}  // namespace pliant::schemes_test
