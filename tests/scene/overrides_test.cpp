#include "scene/complaints.hpp"

namespace pliant::overrides_test {

namespace {
SceneKeys with(const std::vector<std::string>& overrides, const std::string& more = "") {
  return parse_scene(kHead + kBody + more, "s.toml", overrides);
}
}  // namespace

TEST(Overrides, TakeTextsWithoutQuotes) {
  EXPECT_EQ(with({"solver.method=newton-plain"}).solver.method, "newton-plain");
}

TEST(Overrides, ReplaceWhatTheFileSays) { EXPECT_EQ(with({"duration=2.5"}).duration, 2.5); }

TEST(Overrides, FindBodiesByPosition) {
  EXPECT_EQ(with({"body.0.material.young=1e6"}).bodies[0].material.young, 1e6);
}

TEST(Overrides, FindBodiesByName) {
  const SceneKeys keys = with({"body.other.translate=[0,1,0]"}, kBody + "name = \"other\"\n");
  EXPECT_EQ(keys.bodies[1].translate, Vec3(0, 1, 0));
}

TEST(Overrides, FindBodiesByDefaultName) {
  EXPECT_EQ(with({"body.body-2.scale=3"}, kBody).bodies[1].scale, Vec3(3, 3, 3));
}

TEST(Overrides, LaterOnesWin) { EXPECT_EQ(with({"seed=1", "seed=2"}).seed, 2); }

TEST(Overrides, AreNamedInComplaints) {
  EXPECT_EQ(
      complaints_about(kHead + kBody, {"body.0.material.density=-1"}),
      "--set body.0.material.density=-1: density = -1 kg/m^3 is out of range, it must be greater than 0");
}

TEST(Overrides, OfUnknownKeysNameTheNearest) {
  const std::string said = complaints_about(kHead + kBody, {"solver.tolerence=1"});
  EXPECT_TRUE(
      contains(said, "--set solver.tolerence=1: unknown key \"tolerence\", did you mean \"tolerance\"?"))
      << said;
}

TEST(Overrides, OfABodyThatIsNotThereNameThoseThatAre) {
  EXPECT_EQ(complaints_about(kHead + kBody, {"body.7.scale=1"}),
            "--set body.7.scale=1: there is no '7' in body; there are: 0 (body)");
}

TEST(Overrides, WithoutAValueAreRefused) {
  EXPECT_TRUE(
      contains(complaints_about(kHead + kBody, {"duration"}), "--set duration: write it as key=value"));
}

TEST(Overrides, OfKeysBelowANumberAreRefused) {
  EXPECT_TRUE(
      contains(complaints_about(kHead + kBody, {"duration.x=1"}), "duration is 1, it has no key 'x'"));
}

TEST(Overrides, WithABrokenListAreRefused) {
  EXPECT_TRUE(
      contains(complaints_about(kHead + kBody, {"gravity=[0, 1"}), "--set gravity=[0, 1: this is not TOML"));
}

TEST(Overrides, CannotSmuggleInOtherKeys) {
  EXPECT_TRUE(contains(complaints_about(kHead + kBody, {"seed=1\nframe_rate=3"}), "seed = "));
}

}  // namespace pliant::overrides_test
