// The program from outside: exit codes and messages.
#include "program.hpp"

#include "pliant/scene/reference.hpp"

namespace pliant::program_test {

namespace {

namespace fs = std::filesystem;

const std::string kScene = R"(name = "Small box"
duration = 0.1
frame_rate = 30
[[body]]
shape = { cells = [1, 1, 1] }
)";

/// With a scene in its folder.
class Program : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("scene.toml", kScene);
  }
};

TEST_F(Program, DrawsAndExportsHexahedra) {
  write("bricks.toml",
        "name = \"Bricks\"\nduration = 0.1\n[[body]]\n"
        "shape = { cells = [2, 2, 2], elements = \"hexahedra\" }\n");
  ASSERT_EQ(run("run bricks.toml -o bricks --quiet").exit_code, 0);
  EXPECT_EQ(run("render bricks -o pictures --frames 0 --width 32 --height 24 --samples 1").exit_code, 0);
  EXPECT_EQ(run("export bricks --format vtu -o exported").exit_code, 0);
}

}  // namespace

TEST_F(Program, RunsASceneIntoAFolderOfItsName) {
  const Ending ending = run("run scene.toml");
  EXPECT_EQ(ending.exit_code, 0) << ending.said;
  EXPECT_TRUE(fs::exists(folder_ / "out/small-box/frames/000003.npy"));
}

TEST_F(Program, ComputesAsManyFramesAsAsked) {
  EXPECT_EQ(run("run scene.toml -o out --frames 1 --quiet").exit_code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "out/frames/000001.npy"));
  EXPECT_FALSE(fs::exists(folder_ / "out/frames/000002.npy"));
}

TEST_F(Program, SaysNothingWhenQuiet) { EXPECT_EQ(run("run scene.toml --quiet").said, ""); }

TEST_F(Program, RefusesAFolderThatIsNotEmpty) {
  ASSERT_EQ(run("run scene.toml -o out").exit_code, 0);
  EXPECT_EQ(run("run scene.toml -o out").exit_code, 2);
  EXPECT_EQ(run("run scene.toml -o out --overwrite").exit_code, 0);
  EXPECT_EQ(run("run scene.toml -o out --resume").exit_code, 0);
}

TEST_F(Program, WritesASceneThatRunsAgainToTheSameFrames) {
  ASSERT_EQ(run("run scene.toml -o first").exit_code, 0);
  ASSERT_EQ(run("run first/scene.toml -o second").exit_code, 0);
  EXPECT_EQ(read_file(folder_ / "first/frames/000003.npy"), read_file(folder_ / "second/frames/000003.npy"));
  EXPECT_EQ(read_file(folder_ / "first/scene.toml"), read_file(folder_ / "second/scene.toml"));
}

TEST_F(Program, ReportsEveryMistakeOnALineOfItsOwn) {
  write("bad.toml", "name = 3\nduration = -1\n" + kScene.substr(kScene.find("[[")));
  const Ending ending = run("run bad.toml");
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_TRUE(contains(ending.said, "error: bad.toml:1:8: name = 3 is of the wrong type")) << ending.said;
  EXPECT_TRUE(contains(ending.said, "\nerror: bad.toml:2:12: duration = -1")) << ending.said;
}

TEST_F(Program, NamesTheOverrideThatIsWrong) {
  const Ending ending = run("check scene.toml --set solver.tolerance=-1 --set duration=2");
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_TRUE(contains(ending.said, "error: --set solver.tolerance=-1: ")) << ending.said;
}

TEST_F(Program, RefusesUnknownOptions) {
  const Ending ending = run("run scene.toml --fames 3");
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_TRUE(contains(ending.said, "--fames")) << ending.said;
}

TEST_F(Program, RefusesUnknownCommands) {
  const Ending ending = run("rum scene.toml");
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_TRUE(contains(ending.said, "rum")) << ending.said;
}

TEST_F(Program, WantsACommand) { EXPECT_EQ(run("").exit_code, 2); }

TEST_F(Program, RefusesAMissingScene) {
  const Ending ending = run("run nowhere.toml");
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_TRUE(contains(ending.said, "there is no scene 'nowhere.toml'")) << ending.said;
}

TEST_F(Program, FindsScenesByName) {
  fs::create_directories(folder_ / "gallery/paper");
  fs::copy_file(folder_ / "scene.toml", folder_ / "gallery/paper/falling.toml");
  ::setenv("PLIANT_SCENES", (folder_ / "gallery").c_str(), 1);
  EXPECT_EQ(run("check paper/falling").exit_code, 0);
  EXPECT_TRUE(contains(run("list").said, "paper/falling"));
  EXPECT_TRUE(contains(run("check paper/fallin").said, "did you mean 'paper/falling'?"));
  ::unsetenv("PLIANT_SCENES");
}

TEST_F(Program, SaysWithExitCode3ThatAStepDidNotConverge) {
  const Ending ending =
      run("run scene.toml --set solver.max_iterations=1 --set body.0.start.stretch=[3,1,1]");
  EXPECT_EQ(ending.exit_code, 3) << ending.said;
  EXPECT_TRUE(contains(ending.said, "did not converge")) << ending.said;
}

TEST_F(Program, SaysWithExitCode4ThatTheDiskFailed) {
  write("file", "");
  const Ending ending = run("dump-problem scene.toml -o file/below");
  EXPECT_EQ(ending.exit_code, 4) << ending.said;
}

TEST_F(Program, SaysThatStandardOutputFailed) {
  EXPECT_EQ(run("reference > /dev/full").exit_code, 4);
  EXPECT_EQ(run("list > /dev/full").exit_code, 4);
}

TEST_F(Program, SummarisesASceneThatIsFine) {
  const Ending ending = run("check scene.toml");
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_TRUE(contains(ending.said, "8 vertices, 5 elements")) << ending.said;
  EXPECT_TRUE(contains(ending.said, "24 degrees of freedom")) << ending.said;
  EXPECT_TRUE(contains(ending.said, "3 frames")) << ending.said;
}

TEST_F(Program, ListsWhatThereIs) {
  const std::string said = run("list").said;
  for (const char* word : {"backward-euler", "newton-cg", "fixed-corotated", "box"})
    EXPECT_TRUE(contains(said, word)) << word;
}

TEST_F(Program, PrintsTheReferencePage) { EXPECT_EQ(run("reference").said, scene_reference()); }

TEST_F(Program, HelpsWithEveryCommand) {
  for (const char* command :
       {"run", "check", "list", "export", "render", "dump-problem", "converge", "reference", "schema"}) {
    const Ending ending = run(std::string(command) + " --help");
    EXPECT_EQ(ending.exit_code, 0) << command;
    EXPECT_TRUE(contains(ending.said, "Example:\n  pliant " + std::string(command))) << ending.said;
  }
}

TEST_F(Program, TellsItsVersion) {
  const Ending ending = run("--version");
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_TRUE(contains(ending.said, "pliant ")) << ending.said;
  EXPECT_TRUE(contains(ending.said, "BLAS: ")) << ending.said;
}

TEST_F(Program, WritesTheProblemOfAStep) {
  ASSERT_EQ(run("dump-problem scene.toml --step 2 -o problem").exit_code, 0);
  const std::string gradient = read_file(folder_ / "problem/gradient.mtx");
  EXPECT_EQ(gradient.rfind("%%MatrixMarket matrix array real general\n24 1\n", 0), 0u) << gradient;
  const std::string hessian = read_file(folder_ / "problem/hessian.mtx");
  EXPECT_EQ(hessian.rfind("%%MatrixMarket matrix coordinate real symmetric\n24 24 ", 0), 0u);
}

TEST_F(Program, ComparesHowSolversConverge) {
  const Ending ending = run(
      "converge scene.toml --step 2 --iterations 10 --solver ours:solver.method=lbfgs,solver.lbfgs.window=3 "
      "--solver newton:solver.method=newton-cholesky -o errors.csv");
  ASSERT_EQ(ending.exit_code, 0) << ending.said;
  const std::string csv = read_file(folder_ / "errors.csv");
  EXPECT_EQ(csv.rfind("solver,prepared,iterations,seconds,error,residual\nours,", 0), 0u) << csv;
  EXPECT_TRUE(contains(csv, "\nnewton,")) << csv;
  for (const std::string wrong : {"lbfgs", "ours:time.scheme=sdirk2", "ours:solver.windo=3"}) {
    const Ending refused = run("converge scene.toml --solver " + wrong + " -o none.csv");
    EXPECT_EQ(refused.exit_code, 2) << wrong << refused.said;
    EXPECT_FALSE(fs::exists(folder_ / "none.csv"));
  }
}

TEST_F(Program, ExportsARun) {
  ASSERT_EQ(run("run scene.toml -o out").exit_code, 0);
  const Ending ending = run("export out --format obj -o surfaces");
  EXPECT_EQ(ending.exit_code, 0) << ending.said;
  EXPECT_TRUE(fs::exists(folder_ / "surfaces/body-000003.obj"));
}

TEST_F(Program, NamesTheFormatsItCanExportTo) {
  ASSERT_EQ(run("run scene.toml -o out").exit_code, 0);
  const Ending ending = run("export out --format stl -o surfaces");
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_NE(ending.said.find("known are vtu, obj and ply"), std::string::npos) << ending.said;
}

TEST_F(Program, RendersARun) {
  ASSERT_EQ(run("run scene.toml -o out").exit_code, 0);
  const Ending ending = run(
      "render out -o pictures --frames 0,3 --width 32 --height 24 --samples 1 --camera -3,2,4 --no-ground");
  EXPECT_EQ(ending.exit_code, 0) << ending.said;
  EXPECT_TRUE(fs::exists(folder_ / "pictures/000003.png"));
}

TEST_F(Program, RefusesAnOpenObstacleWithExitCode2) {
  write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
  write("open.toml", kScene + "[[obstacle]]\nmesh = \"open.obj\"\ncontact = \"penalty\"\n");
  const Ending ending = run("run open.toml");
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_NE(ending.said.find("open.toml:"), std::string::npos) << ending.said;
  EXPECT_NE(ending.said.find("3 boundary edges"), std::string::npos) << ending.said;
}

TEST_F(Program, RefusesABodyInsideAnObstacleWithExitCode2) {
  write("inside.toml", kScene + "[[obstacle]]\nshape = { kind = \"sphere\", radius = 9 }\n");
  const Ending ending = run("check inside.toml");
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_NE(ending.said.find("starts inside obstacle obstacle"), std::string::npos) << ending.said;
}

TEST_F(Program, RendersWithoutTheObstaclesThatAreHidden) {
  write("wall.toml", kScene +
                         "[[obstacle]]\nname = \"wall\"\nshape = { kind = \"box\", size = [9, 9, 0.1] }\n"
                         "translate = [0, 0, 3]\n[[obstacle]]\nshape = { kind = \"plane\" }\n"
                         "translate = [0, -9, 0]\n");
  ASSERT_EQ(run("run wall.toml -o out --frames 0").exit_code, 0);
  const std::string small = "--width 32 --height 24 --samples 1 --camera 0,0,9 --look-at 0,0,0";
  ASSERT_EQ(run("render out -o with " + small).exit_code, 0);
  ASSERT_EQ(run("render out -o without --hide-obstacle wall " + small).exit_code, 0);
  EXPECT_NE(read_file(folder_ / "with/000000.png"), read_file(folder_ / "without/000000.png"));
}

TEST_F(Program, NamesTheObstaclesThatCanBeHidden) {
  write("ground.toml", kScene +
                           "[[obstacle]]\nname = \"ground\"\nshape = { kind = \"plane\" }\n"
                           "translate = [0, -9, 0]\n");
  ASSERT_EQ(run("run ground.toml -o out --frames 0").exit_code, 0);
  const Ending ending = run("render out -o pictures --hide-obstacle wall");
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_NE(ending.said.find("there are: ground"), std::string::npos) << ending.said;
}

TEST_F(Program, DrawsALevelPlaneAsTheGround) {
  write("ground.toml", kScene +
                           "[[obstacle]]\nname = \"ground\"\nshape = { kind = \"plane\" }\n"
                           "translate = [0, -1.5, 0]\n");
  ASSERT_EQ(run("run ground.toml -o out --frames 0").exit_code, 0);
  ASSERT_EQ(run("run scene.toml -o free --frames 0").exit_code, 0);
  const std::string small = " --width 64 --height 48 --samples 1 ";
  ASSERT_EQ(run("render out -o low" + small).exit_code, 0);
  ASSERT_EQ(run("render out -o hidden --hide-obstacle ground" + small).exit_code, 0);
  ASSERT_EQ(run("render free -o near" + small).exit_code, 0);
  // The camera does not care for the plane, but the shadow falls farther away.
  EXPECT_NE(read_file(folder_ / "low/000000.png"), read_file(folder_ / "near/000000.png"));
  EXPECT_EQ(read_file(folder_ / "hidden/000000.png"), read_file(folder_ / "near/000000.png"));
}

TEST_F(Program, DrawsNoPlaneThatHidesTheSceneOrItsLight) {
  write("walls.toml", kScene +
                          "[[obstacle]]\nname = \"wall\"\nshape = { kind = \"plane\", normal = [0, 0, -1] }\n"
                          "translate = [0, 0, 1]\n[[obstacle]]\nname = \"ceiling\"\n"
                          "shape = { kind = \"plane\", normal = [0, -1, 0] }\ntranslate = [0, 99, 0]\n");
  ASSERT_EQ(run("run walls.toml -o out --frames 0").exit_code, 0);
  ASSERT_EQ(run("run scene.toml -o free --frames 0").exit_code, 0);
  const std::string small = " --width 64 --height 48 --samples 1 ";
  ASSERT_EQ(run("render out -o behind" + small).exit_code, 0);
  ASSERT_EQ(run("render free -o open" + small).exit_code, 0);
  EXPECT_EQ(read_file(folder_ / "behind/000000.png"), read_file(folder_ / "open/000000.png"));
}

}  // namespace pliant::program_test
