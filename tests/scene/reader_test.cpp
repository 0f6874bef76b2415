#include "pliant/scene/reader.hpp"

#include "scene/complaints.hpp"

namespace pliant::reader_test {

namespace {
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }
}  // namespace

TEST(Reader, AcceptsTheSmallestScene) { EXPECT_EQ(complaints_about(kHead + kBody), ""); }

TEST(Reader, FillsInDefaults) {
  const SceneKeys keys = parse_scene(kHead + kBody, "s.toml");
  EXPECT_EQ(keys.frame_rate, 24);
  EXPECT_EQ(keys.gravity, Vec3(0, -9.81, 0));
  EXPECT_EQ(keys.time.scheme, "backward-euler");
  EXPECT_EQ(keys.solver.tolerance, 1e-3);
  EXPECT_EQ(keys.bodies.at(0).name, "body");
  EXPECT_EQ(keys.bodies.at(0).material.model, "fixed-corotated");
  EXPECT_EQ(keys.bodies.at(0).material.young, 1e5);
}

TEST(Reader, NamesTheSecondNamelessBody) {
  EXPECT_EQ(parse_scene(kHead + kBody + kBody, "s.toml").bodies.at(1).name, "body-2");
}

TEST(Reader, TakesIntegersAsNumbers) {
  EXPECT_EQ(parse_scene(kHead + "gravity = [0, -10, 0]\n" + kBody, "s.toml").gravity, Vec3(0, -10, 0));
}

TEST(Reader, TakesOneNumberForThreeInScale) {
  EXPECT_EQ(parse_scene(kHead + kBody + "scale = 2\n", "s.toml").bodies[0].scale, Vec3(2, 2, 2));
}

TEST(Reader, PlacesSyntaxErrors) {
  const std::string said = complaints_about(kHead + "gravity = = 3\n" + kBody);
  EXPECT_TRUE(contains(said, "s.toml:4:")) << said;
}

TEST(Reader, NamesTheNearestKnownKey) {
  EXPECT_EQ(first_line(complaints_about(kHead + kBody + "material = { poison = 0.3 }\n")),
            "s.toml:6:14: unknown key \"poison\", did you mean \"poisson\"?; known here are: model, young, "
            "poisson, c01_share, density, mass, young_field, stretch_min, stretch_max, spline, volume, "
            "fibre, bending, "
            "bending_springs, tear");
}

TEST(Reader, SaysWhichKeysAreKnownWhereNoneIsNear) {
  const std::string said = complaints_about(kHead + "colour = 1\n" + kBody);
  EXPECT_TRUE(contains(said, "s.toml:4:1: unknown key \"colour\"; known here are: name, duration")) << said;
}

TEST(Reader, NamesTheNearestChoice) {
  const std::string said = complaints_about(kHead + "[solver]\nmethod = \"newton-gc\"\n" + kBody);
  EXPECT_TRUE(contains(said, "s.toml:5:10: method = \"newton-gc\" is unknown, did you mean \"newton-cg\"?"))
      << said;
}

TEST(Reader, ReportsMissingKeys) {
  const std::string said = complaints_about(kBody);
  EXPECT_TRUE(contains(said, "missing name")) << said;
  EXPECT_TRUE(contains(said, "missing duration (s, greater than 0): how much time to simulate")) << said;
}

TEST(Reader, ReportsASceneWithoutBodies) {
  EXPECT_TRUE(contains(complaints_about(kHead), "missing body; write [[body]]"));
}

TEST(Reader, ReportsAWrongType) {
  const std::string said = complaints_about(kHead + kBody + "material = { young = \"1e5\" }\n");
  EXPECT_EQ(said,
            "s.toml:6:22: young = \"1e5\" is of the wrong type, it must be a number (Pa, greater than 0)");
}

TEST(Reader, ReportsATableWhereAListOfTablesIsWanted) {
  const std::string said = complaints_about(kHead + "[body]\nname = \"a\"\n");
  EXPECT_TRUE(contains(said, "s.toml:4:1: body = a table is of the wrong type")) << said;
  EXPECT_TRUE(contains(said, "[[body]]")) << said;
}

TEST(Reader, ReportsListsOfTheWrongLength) {
  const std::string said = complaints_about(kHead + "gravity = [0, 1]\n" + kBody);
  EXPECT_TRUE(
      contains(said, "s.toml:4:11: gravity = [0, 1] is of the wrong type, it must be a list of 3 numbers"))
      << said;
}

TEST(Reader, ReportsFractionsWhereWholeNumbersAreWanted) {
  const std::string said = complaints_about(kHead + "[time]\nsteps_per_frame = 1.5\n" + kBody);
  EXPECT_TRUE(contains(said, "s.toml:5:19: steps_per_frame = 1.5")) << said;
}

TEST(Reader, RefusesAParameterOfAnotherMaterial) {
  const std::string said =
      complaints_about(kHead + kBody + "material = { model = \"neo-hookean\", c01_share = 0.3 }\n");
  EXPECT_TRUE(contains(said, "c01_share has a meaning for mooney-rivlin only, and the model is neo-hookean"))
      << said;
}

TEST(Reader, RefusesEveryKeyOfAnotherMaterial) {
  const auto said = [](const std::string& material) {
    return complaints_about(kHead + kBody + "material = { " + material + " }\n");
  };
  EXPECT_EQ(said("stretch_min = 0.9"),
            "s.toml:6:28: stretch_min has a meaning for strain-limited only, and the model is "
            "fixed-corotated; leave it out");
  EXPECT_TRUE(contains(said("model = \"springs\", spline = { a = [0.5, -1e4, 1, 0] }"),
                       "spline has a meaning for spline only, and the model is springs; leave it out"));
  EXPECT_EQ(said("stretch_max = 1, c01_share = 0.2"), "") << "which is what all scenes say when written";
  EXPECT_TRUE(contains(said("model = \"spline\""), "model = \"spline\" needs control points: spline ="));
  EXPECT_TRUE(contains(said("model = \"strain-limited\", stretch_min = 1.2"),
                       "stretch_min must not be above stretch_max"));
}

TEST(Reader, RefusesColorsBeyondOne) {
  const std::string said = complaints_about(kHead + kBody + "color = [0.2, 0.4, 255]\n");
  EXPECT_TRUE(contains(said, "s.toml:6:")) << said;
  EXPECT_TRUE(contains(said, "color")) << said;
  EXPECT_EQ(complaints_about(kHead + kBody + "color = [0.2, 0.4, 1]\n"), "");
}

TEST(Reader, ExplainsAPoissonRatioOfOneHalf) {
  const std::string said = complaints_about(kHead + kBody + "material = { poisson = 0.5 }\n");
  EXPECT_TRUE(contains(said, "s.toml:6:24: poisson = 0.5 is out of range")) << said;
  EXPECT_TRUE(contains(said, "incompressible")) << said;
  EXPECT_TRUE(contains(said, "use 0.49")) << said;
}

TEST(Reader, RefusesANegativeDensity) {
  const std::string said = complaints_about(kHead + kBody + "material = { density = -5 }\n");
  EXPECT_EQ(said, "s.toml:6:24: density = -5 kg/m^3 is out of range, it must be greater than 0");
}

TEST(Reader, RefusesAZeroStep) {
  const std::string said = complaints_about(kHead + "frame_rate = 0\n[time]\nsteps_per_frame = 0\n" + kBody);
  EXPECT_TRUE(contains(said, "s.toml:4:14: frame_rate = 0 Hz is out of range")) << said;
  EXPECT_TRUE(contains(said, "s.toml:6:19: steps_per_frame = 0 is out of range, it must be at least 1"))
      << said;
}

TEST(Reader, RefusesNumbersThatAreNotFinite) {
  const std::string said = complaints_about("name = \"t\"\nduration = inf\ngravity = [0, nan, 0]\n" + kBody);
  EXPECT_TRUE(contains(said, "s.toml:2:12: duration = inf is not finite")) << said;
  EXPECT_TRUE(contains(said, "s.toml:3:15: gravity = nan is not finite")) << said;
}

TEST(Reader, RefusesIntegersBeyondTheirType) {
  const std::string said = complaints_about(kHead + "[time]\nsteps_per_frame = 3000000000\n" + kBody);
  EXPECT_TRUE(contains(said, "s.toml:5:19: steps_per_frame = 3000000000 is too large")) << said;
}

TEST(Reader, RefusesTooManyFrames) {
  EXPECT_TRUE(contains(complaints_about(kHead + "frame_rate = 1e9\n" + kBody), "s.toml:2:12: 1e+09 frames"));
}

TEST(Reader, RefusesShapesTooLargeToMesh) {
  const std::string said =
      complaints_about(kHead + "[[body]]\nshape = { cells = [100000, 100000, 100000] }\n");
  EXPECT_TRUE(contains(said, "s.toml:5:19: 1e+15 cells are too many")) << said;
}

TEST(Reader, WantsExactlyOneOfShapeAndMesh) {
  EXPECT_TRUE(contains(complaints_about(kHead + "[[body]]\n"), "s.toml:4:1: a body needs a shape or a mesh"));
  EXPECT_TRUE(
      contains(complaints_about(kHead + kBody + "mesh = \"a.msh\"\n"), "s.toml:6:8: a body has either"));
}

TEST(Reader, WantsNamesOfBodiesToDiffer) {
  const std::string said = complaints_about(kHead + kBody + "name = \"a\"\n" + kBody + "name = \"a\"\n");
  EXPECT_EQ(said, "s.toml:9:8: there is already a body called \"a\"; give this one another name");
}

TEST(Reader, WantsNamesThatAreSafeInFileNames) {
  const std::string said = complaints_about(kHead + kBody + "name = \"../a\"\n");
  EXPECT_TRUE(contains(said, "s.toml:6:8: \"../a\" cannot be part of a file name")) << said;
}

TEST(Reader, WantsTimesOfKeysToIncrease) {
  const std::string said = complaints_about(
      kHead + kBody + "[[body.script]]\nregion = { indices = [0] }\nkeys = [{ time = 1 }, { time = 1 }]\n");
  EXPECT_TRUE(contains(said, "s.toml:8:8: times of keys must increase, but 1 s is followed by 1 s")) << said;
}

TEST(Reader, WantsExactlyOneKindOfRegion) {
  const std::string said = complaints_about(kHead + kBody + "[[body.script]]\nregion = {}\n");
  EXPECT_TRUE(contains(said, "s.toml:7:10: a region is exactly one of")) << said;
}

TEST(Reader, ReportsAMissingRegionOnce) {
  EXPECT_EQ(complaints_about(kHead + kBody + "[[body.script]]\n"),
            "s.toml:6:1: missing region: which vertices, chosen on the placed rest shape");
}

TEST(Reader, RefusesAnAxisWithoutLength) {
  const std::string said = complaints_about(kHead + kBody + "rotate = { axis = [0, 0, 0] }\n");
  EXPECT_TRUE(contains(said, "s.toml:6:19: axis has no length")) << said;
}

TEST(Reader, ReportsAllMistakesAtOnceInTheOrderOfTheFile) {
  std::vector<int> lines;
  try {
    parse_scene(
        "duration = -1\nframe_rat = 30\n[solver]\nmethod = 3\n" + kBody + "material = { poisson = 0.5 }\n",
        "s.toml");
  } catch (const InputError& error) {
    for (const Complaint& complaint : error.complaints()) lines.push_back(complaint.line);
  }
  EXPECT_EQ(lines, (std::vector<int>{1, 1, 2, 4, 7}));
}

}  // namespace pliant::reader_test
