// Bodies that start inside obstacles.
#include "scene/complaints.hpp"

namespace pliant::overlap_test {
namespace {

const std::string kGround = "[[obstacle]]\nname = \"ground\"\nshape = { kind = \"plane\" }\n";
const std::string kAllowed = "[contact]\nallow_initial_overlap = true\n";

Simulation built(const std::string& more) {
  return build(place_scene(parse_scene(kHead + more, "s.toml"), "."));
}

std::string complaints_of_building(const std::string& more) {
  try {
    built(more);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

double lowest(const Simulation& simulation) {
  double y = 1e9;
  for (Index i = 1; i < simulation.state.x.size(); i += 3) y = std::min(y, simulation.state.x[i]);
  return y;
}

TEST(Overlap, IsRefusedWithWhatIsInsideWhat) {
  EXPECT_EQ(
      complaints_of_building(kBody + "translate = [3, 0.4, 0]\n" + kGround),
      "s.toml:4:1: body body starts inside obstacle ground: 4 of its 8 vertices are, the deepest by 0.1 m "
      "at [2.5, -0.1, -0.5]; move one of the two, or set contact.allow_initial_overlap = true to have "
      "these vertices pushed out");
}

TEST(Overlap, OfABodyThatTouchesIsNone) {
  EXPECT_EQ(complaints_of_building(kBody + "translate = [3, 0.5, 0]\n" + kGround), "");
}

TEST(Overlap, IsLookedForWhereTheMotionBegins) {
  const std::string up = "motion = { keys = [{ time = 0, translate = [0, 1, 0] }] }\n";
  EXPECT_NE(complaints_of_building(kBody + "translate = [0, 0.5, 0]\n" + kGround + up), "");
}

TEST(Overlap, OfScriptedVerticesDoesNotCount) {
  const std::string script = "[[body.script]]\nregion = { box = { min = [-9, -9, -9], max = [9, 0, 9] } }\n";
  EXPECT_EQ(complaints_of_building(kBody + "translate = [0, 0.4, 0]\n" + script + kGround), "");
}

TEST(Overlap, IsPushedOutWhereAllowed) {
  ::testing::internal::CaptureStderr();
  const Simulation simulation = built(kBody + "translate = [0, 0.4, 0]\n" + kGround + kAllowed);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NEAR(lowest(simulation), 0, 1e-9);
  EXPECT_TRUE(contains(said,
                       "body body: 4 of 8 vertices started inside obstacles and were pushed out, by up "
                       "to 0.1 m"))
      << said;
}

TEST(Overlap, WithTwoObstaclesIsPushedOutOfBoth) {
  const Simulation simulation =
      built(kBody + "translate = [0.4, 0.4, 0]\n" + kGround +
            "[[obstacle]]\nshape = { kind = \"plane\", normal = [1, 1, 0] }\n" + kAllowed);
  for (Index i = 0; i < simulation.state.x.size(); i += 3) {
    EXPECT_GT(simulation.state.x[i + 1], -1e-6);
    EXPECT_GT(simulation.state.x[i] + simulation.state.x[i + 1], -1e-6);
  }
}

TEST(Overlap, FromTheMiddleOfABallEndsOutsideIt) {
  const Simulation simulation = built(
      "[[body]]\nshape = { cells = [2, 2, 2], size = [0.2, 0.2, 0.2] }\nmaterial = { model = "
      "\"fixed-corotated\" "
      "}\n[[obstacle]]\nshape = { kind = \"sphere\" }\n" +
      kAllowed);
  for (Index i = 0; i < simulation.state.x.size(); i += 3)
    EXPECT_GT(simulation.state.x.segment<3>(i).norm(), 0.5 - 1e-6);
}

TEST(Overlap, LeavesPlanarBodiesInTheirPlane) {
  const Simulation simulation = built(
      "[[body]]\nshape = { kind = \"rectangle\", cells = [3, 3, 1] }\n[[obstacle]]\n"
      "shape = { kind = \"sphere\" }\ntranslate = [0, -0.5, 0.1]\n" +
      kAllowed);
  for (Index i = 2; i < simulation.state.x.size(); i += 3) EXPECT_EQ(simulation.state.x[i], 0);
}

TEST(Overlap, OfObstaclesThatOverlapThemselvesIsLeftByTheWayThatEnds) {
  // From inside of the ball the nearest way out leads down into the ground, which has no end.
  const Simulation simulation =
      built("[[body]]\nshape = { kind = \"sphere\", radius = 0.3, cell = 0.12 }\ntranslate = [0, 0.2, 0]\n" +
            kGround +
            "[[obstacle]]\nname = \"ball\"\nshape = { kind = \"sphere\", radius = 0.4 }\ntranslate = [0, "
            "0.3, 0]\n" +
            kAllowed);
  for (Index i = 0; i < simulation.state.x.size(); i += 3) {
    const Vec3 x = simulation.state.x.segment<3>(i);
    EXPECT_GT(x.y(), -1e-9);
    EXPECT_GT((x - Vec3(0, 0.3, 0)).norm(), 0.4 - 1e-9);
    EXPECT_LT(x.norm(), 2);
  }
}

TEST(Overlap, WithoutAWayOutIsRefused) {
  const std::string said =
      complaints_of_building(kBody + kGround +
                             "[[obstacle]]\nshape = { kind = \"plane\", normal = [0, -1, 0] }\n"
                             "translate = [0, -0.1, 0]\n" +
                             kAllowed);
  EXPECT_TRUE(
      contains(said, "s.toml:4:1: body body: 8 of its vertices cannot be put outside of obstacle ground"))
      << said;
}

}  // namespace
}  // namespace pliant::overlap_test
