// Random scenes in small: none crashes, hangs or gives a number that is not finite, and every step converges.
#include "program.hpp"

namespace pliant::soak_test {
namespace {

class Soak : public ProgramTest {};

TEST_F(Soak, OfFortyRandomScenesEveryStepConverges) {
  const Ending ending = shell("python3 " PLIANT_SOURCE_DIR "/tools/soak.py --program " PLIANT_PROGRAM
                              " --out out --count 40 --steps 3 --seed 7 --jobs 1 --limit 60");
  EXPECT_EQ(ending.exit_code, 0) << ending.said;
  EXPECT_TRUE(contains(ending.said, "40 scenes, 120 steps")) << ending.said;
}

TEST_F(Soak, OfFortyRandomScenesEveryStepConvergesWithSdirk2) {
  const Ending ending = shell("python3 " PLIANT_SOURCE_DIR "/tools/soak.py --program " PLIANT_PROGRAM
                              " --out out --count 40 --steps 3 --seed 7 --jobs 1 --limit 60 --scheme sdirk2");
  EXPECT_EQ(ending.exit_code, 0) << ending.said;
  EXPECT_TRUE(contains(ending.said, "40 scenes, 120 steps")) << ending.said;
}

TEST_F(Soak, SaysWhichStepsDidNotConverge) {
  const Ending ending = shell("python3 " PLIANT_SOURCE_DIR "/tools/soak.py --program " PLIANT_PROGRAM
                              " --out out --count 3 --steps 2 --set solver.max_iterations=1");
  EXPECT_EQ(ending.exit_code, 1) << ending.said;
  EXPECT_TRUE(contains(ending.said, "step 1: iteration-limit, residual")) << ending.said;
}

}  // namespace
}  // namespace pliant::soak_test
