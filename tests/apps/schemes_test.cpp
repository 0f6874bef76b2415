// What the program says about time integrators.
#include "program.hpp"

namespace pliant::schemes_test {
namespace {

const std::string kHead = "name = \"Small box\"\nduration = 0.1\n[time]\nscheme = ";
const std::string kBody = "\n[[body]]\nshape = { cells = [1, 1, 1] }\n";

class Integrators : public ProgramTest {
 protected:
  Ending check(const std::string& scheme, const std::string& more = "") {
    write("scene.toml", kHead + scheme + kBody + more);
    return run("check scene.toml");
  }
  Ending check_tableau(const std::string& tableau) {
    return check("\"runge-kutta\"\ntableau = { " + tableau + " }");
  }
};

TEST_F(Integrators, OfOnesOwnAreExamined) {
  // Two midpoints one after the other, and SDIRK2.
  const Ending midpoints = check_tableau("a = [0.25, 0.5, 0.25], b = [0.5, 0.5], c = [0.25, 0.75]"),
               sdirk2 = check_tableau(
                   "a = [0.29289321881345254, 0.7071067811865475, 0.29289321881345254], "
                   "b = [0.7071067811865475, 0.29289321881345254], c = [0.29289321881345254, 1]");
  EXPECT_EQ(midpoints.exit_code, 0);
  EXPECT_TRUE(contains(midpoints.said, "time.tableau: 2 stages, order 2, A-stable, not stiffly accurate\n"))
      << midpoints.said;
  EXPECT_EQ(sdirk2.exit_code, 0);
  EXPECT_TRUE(contains(sdirk2.said, "time.tableau: 2 stages, order 2, L-stable, stiffly accurate\n"))
      << sdirk2.said;
}

TEST_F(Integrators, OfOnesOwnThatAreNotStableAreWarnedOf) {
  const Ending heun = check_tableau("a = [0, 1, 0], b = [0.5, 0.5], c = [0, 1]");
  EXPECT_EQ(heun.exit_code, 0);
  EXPECT_TRUE(contains(heun.said,
                       "warning: time.tableau: 2 stages, order 2, not A-stable, not stiffly accurate; long "
                       "steps of stiff bodies will blow up"))
      << heun.said;
}

TEST_F(Integrators, OfOnesOwnThatDoNotConvergeAreWarnedOf) {
  const Ending half = check_tableau("a = [1], b = [0.5], c = [1]");
  EXPECT_EQ(half.exit_code, 0);
  EXPECT_TRUE(contains(half.said, "order 0, ")) << half.said;
  EXPECT_TRUE(contains(half.said, "; b sums up to 0.5 and not to 1: answers do not come")) << half.said;
  // With eleven digits, as one types them.
  const Ending typed = check_tableau(
      "a = [0, 0.25, 0.25, 0.33333333333, 0.33333333333, 0.33333333333], "
      "b = [0.33333333333, 0.33333333333, 0.33333333333], c = [0, 0.5, 1]");
  EXPECT_TRUE(contains(typed.said, "order 2, L-stable, stiffly accurate")) << typed.said;
}

TEST_F(Integrators, WithAToleranceAreSaidToChooseTheirSteps) {
  const Ending ending = check("\"tr-bdf2\"\ntolerance = 1e-4");
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_TRUE(contains(ending.said, "steps as long as errors of 0.0001 m allow")) << ending.said;
}

TEST_F(Integrators, ThatGiveEnergyToBodiesAtRestAreWarnedOf) {
  const std::string plane =
      "[[obstacle]]\nshape = { kind = \"plane\" }\ntranslate = [0, -3, 0]\ncontact = \"program\"\n";
  const std::string other =
      "[[body]]\nshape = { cells = [1, 1, 1] }\ntranslate = [0, 3, 0]\n"
      "[contact]\nself_collision = true\nmethod = \"program\"\n";
  const std::string warning = " with contact programs gives energy to bodies that rest on each other";
  for (const char* scheme : {"\"esdirk-436\"", "\"ros34pw2\"", "\"ros3prl2\""}) {
    EXPECT_TRUE(contains(check(scheme, other).said, warning));
    EXPECT_FALSE(contains(check(scheme, plane).said, warning));
    EXPECT_FALSE(contains(check(scheme).said, warning));
  }
  EXPECT_FALSE(contains(check("\"sdirk2\"", other).said, warning));
}

TEST_F(Integrators, ThatCannotHoldBodiesAreRefusedWithExitCode2) {
  const std::string plane =
      "[[obstacle]]\nshape = { kind = \"plane\" }\ntranslate = [0, -3, 0]\ncontact = \"constraint\"\n";
  for (const char* scheme : {"\"implicit-midpoint\"", "\"generalized-alpha\"", "\"ros3pl\""}) {
    const Ending ending = check(scheme, plane);
    EXPECT_EQ(ending.exit_code, 2) << scheme;
    EXPECT_TRUE(contains(ending.said, "cannot hold bodies outside")) << ending.said;
  }
  EXPECT_EQ(check("\"sdirk2\"", plane).exit_code, 0);
}

}  // namespace
}  // namespace pliant::schemes_test
