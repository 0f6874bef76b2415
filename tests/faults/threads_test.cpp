// The number of threads changes no bit.
#include "lasting_files.hpp"
#include "program.hpp"

namespace pliant::threads_test {
namespace {

/// A bar of 8,500 vertices, 25,500 unknowns: loops over vertices and unknowns go in several chunks each.
/// Thin, so that it is factorised fast.
const std::string kScene = R"(name = "Long bar"
duration = 0.042
frame_rate = 24
[[body]]
name = "bar"
shape = { size = [8.4, 0.9, 0.9], cells = [84, 9, 9] }
start = { randomise = 0.02, spin = [1, 0, 0] }
[[body.script]]
region = { plane = { point = [-4.19, 0, 0], normal = [-1, 0, 0] } }
[[body.attachment]]
region = { plane = { point = [4.19, 0, 0], normal = [1, 0, 0] } }
stiffness = 100
)";

class Threads : public ProgramTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void expect_the_same_bytes() {
    const std::string set = std::string(" --quiet --set solver.method=") + GetParam();
    ASSERT_EQ(run("run scene.toml --threads 1 -o one" + set).exit_code, 0);
    ASSERT_EQ(run("run scene.toml --threads 2 -o two" + set).exit_code, 0);
    const auto one = lasting_files(folder_ / "one"), two = lasting_files(folder_ / "two");
    ASSERT_TRUE(one.contains("frames/000001.npy"));
    EXPECT_EQ(one.size(), two.size());
    for (const auto& [name, contents] : one)
      EXPECT_TRUE(two.contains(name) && two.at(name) == contents) << name;
  }
};

TEST_P(Threads, OneAndTwoGiveTheSameBytes) {
  write("scene.toml", kScene);
  expect_the_same_bytes();
}

TEST_P(Threads, OneAndTwoGiveTheSameBytesForBodiesSideBySide) {
  std::string scene = "name = \"Two\"\nduration = 0.125\nframe_rate = 24\n";
  for (const char* place : {"[0, 0, 0]", "[3, 0, 0]"})
    scene += std::string("[[body]]\nshape = { size = [1, 1, 1], cells = [12, 12, 12] }\ntranslate = ") +
             place + "\nstart = { randomise = 0.02, spin = [1, 0, 0] }\n";
  write("scene.toml", scene);
  expect_the_same_bytes();
}

INSTANTIATE_TEST_SUITE_P(Methods, Threads, ::testing::Values("newton-cg", "newton-cholesky"));

}  // namespace
}  // namespace pliant::threads_test
