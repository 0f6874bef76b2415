// Obstacles and contact in scene files.
#include <filesystem>
#include <numbers>

#include "pliant/base/files.hpp"
#include "pliant/mesh_file/obj.hpp"
#include "scene/complaints.hpp"

namespace pliant::obstacles_test {
namespace {

const std::string kPlane = "[[obstacle]]\nshape = { kind = \"plane\" }\n";
/// Six lines: a body far above the origin.
const std::string kHigh = kHead + kBody + "translate = [0, 9, 0]\n";

Scene placed(const std::string& more) { return place_scene(parse_scene(kHigh + more, "s.toml"), "."); }
Obstacle obstacle_of(const std::string& more) { return placed("[[obstacle]]\n" + more).obstacles.at(0); }
std::string complaints_with(const std::string& more) { return complaints_about(kHigh + more); }

/// A cube of edge 1, without its top where that is left out.
std::string cube_file(const std::string& name, bool open) {
  TriangleMesh cube{{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}, {0, 1, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}},
                    {{0, 1, 2},
                     {0, 2, 3},
                     {0, 4, 5},
                     {0, 5, 1},
                     {1, 5, 6},
                     {1, 6, 2},
                     {2, 6, 7},
                     {2, 7, 3},
                     {3, 7, 4},
                     {3, 4, 0},
                     {4, 7, 6},
                     {4, 6, 5}}};
  if (open) cube.triangles.resize(10);
  const std::filesystem::path path = std::filesystem::temp_directory_path() / name;
  write_obj(path, cube);
  return path.string();
}

TEST(Obstacles, AreConstraintsWithoutFrictionUnlessSaidOtherwise) {
  const Obstacle obstacle = obstacle_of("shape = { kind = \"plane\" }\n");
  EXPECT_EQ(obstacle.way, ContactWay::constraint);
  EXPECT_EQ(obstacle.friction, 0);
  EXPECT_FALSE(obstacle.stiffness.has_value());
}

TEST(Obstacles, WithoutANameAreNumbered) {
  const SceneKeys keys = parse_scene(kHigh + kPlane + kPlane, "s.toml");
  EXPECT_EQ(keys.obstacles[0].name, "obstacle");
  EXPECT_EQ(keys.obstacles[1].name, "obstacle-2");
}

TEST(Obstacles, OfTheSameNameAreRefused) {
  EXPECT_EQ(complaints_with(kPlane + "name = \"a\"\n" + kPlane + "name = \"a\"\n"),
            "s.toml:12:8: there is already an obstacle called \"a\"; give this one another name");
}

TEST(Obstacles, MayHaveTheNameOfABody) { EXPECT_EQ(complaints_with(kPlane + "name = \"body\"\n"), ""); }

TEST(Obstacles, NeedANameThatCanBeAFile) {
  const std::string said = complaints_with(kPlane + "name = \"a/b\"\n");
  EXPECT_TRUE(contains(said, "s.toml:9:8: \"a/b\" cannot be part of a file name")) << said;
}

TEST(Obstacles, OfAPlaneAndOfAHalfSpaceAreTheSame) {
  const Obstacle plane = obstacle_of("shape = { kind = \"plane\", normal = [1, 2, 0] }\n");
  const Obstacle half = obstacle_of("shape = { kind = \"half-space\", normal = [1, 2, 0] }\n");
  EXPECT_EQ(plane.shape->distance({3, 1, 2}), half.shape->distance({3, 1, 2}));
  EXPECT_GT(plane.shape->distance({3, 1, 2}), 0);
}

TEST(Obstacles, AreScaledThenTurnedThenMoved) {
  const Obstacle obstacle = obstacle_of(
      "shape = { kind = \"capsule\", length = 2, radius = 0.5 }\nscale = 2\n"
      "rotate = { axis = [0, 0, 1], angle = 90 }\ntranslate = [1, 0, 0]\n");
  EXPECT_NEAR(obstacle.shape->distance({5, 0, 0}), 1, 1e-12);
  EXPECT_NEAR(obstacle.shape->distance({1, 3, 0}), 2, 1e-12);
}

TEST(Obstacles, OfAShapeCannotBeStretched) {
  const std::string said =
      complaints_with("[[obstacle]]\nshape = { kind = \"sphere\" }\nscale = [1, 2, 1]\n");
  EXPECT_TRUE(contains(said, "s.toml:9:9: a shape is scaled by one number")) << said;
}

TEST(Obstacles, OfAMeshCanBeStretched) {
  const Obstacle obstacle = obstacle_of("mesh = \"" + cube_file("stretched.obj", false) +
                                        "\"\ncontact = \"penalty\"\nscale = [1, 3, 1]\n");
  EXPECT_NEAR(obstacle.shape->distance({0.5, 4, 0.5}), 1, 0.05);
}

TEST(Obstacles, MoveAtConstantVelocityAndSpinOnTopOfKeys) {
  const Obstacle obstacle = obstacle_of(
      "shape = { kind = \"sphere\" }\nmotion = { velocity = [1, 0, 0], spin = 90, axis = [0, 0, 2], "
      "keys = [{ time = 0 }, { time = 1, translate = [0, 3, 0] }] }\n");
  EXPECT_LT((obstacle.pose(1).position({1, 0, 0}) - Vec3(1, 4, 0)).norm(), 1e-12);
  EXPECT_NEAR(obstacle.pose(0.5).spin.z(), std::numbers::pi / 2, 1e-12);
}

TEST(Obstacles, NeedAShapeOrAMesh) {
  const std::string said = complaints_with("[[obstacle]]\nfriction = 1\n");
  EXPECT_TRUE(contains(said, "s.toml:7:1: an obstacle needs a shape or a mesh")) << said;
}

TEST(Obstacles, CannotHaveAShapeAndAMesh) {
  const std::string said = complaints_with(kPlane + "mesh = \"a.obj\"\ncontact = \"penalty\"\n");
  EXPECT_TRUE(contains(said, "s.toml:9:8: an obstacle has either a shape or a mesh")) << said;
}

TEST(Obstacles, CannotBeThin) {
  for (const std::string kind : {"cloth", "ribbon", "rectangle", "sheet"}) {
    const std::string said = complaints_with("[[obstacle]]\nshape = { kind = \"" + kind + "\" }\n");
    EXPECT_TRUE(contains(said, "s.toml:8:18: kind = \"" + kind + "\" is unknown")) << said;
  }
}

TEST(Obstacles, KnowFiveWaysOfContact) {
  const std::string said = complaints_with(kPlane + "contact = \"penalti\"\n");
  EXPECT_EQ(
      said,
      "s.toml:9:11: contact = \"penalti\" is unknown, did you mean \"penalty\"?; known are: constraint, "
      "penalty, springs, post-process, program");
  EXPECT_EQ(obstacle_of("shape = { kind = \"plane\" }\ncontact = \"post-process\"\n").way,
            ContactWay::post_process);
}

TEST(Obstacles, AsConstraintsNeedAnExactDistance) {
  const std::string remedy = "use contact = \"penalty\"";
  const std::string file = cube_file("exact.obj", false);
  const std::string mesh = complaints_with("[[obstacle]]\nmesh = \"" + file + "\"\n");
  EXPECT_TRUE(contains(mesh, "s.toml:8:8: contact = \"constraint\" needs") && contains(mesh, remedy)) << mesh;
  const std::string grid = complaints_with(kPlane + "grid = { cell = 0.1 }\n");
  EXPECT_TRUE(contains(grid, "s.toml:9:8: contact = \"constraint\" needs") && contains(grid, remedy)) << grid;
  const std::string part =
      complaints_with("[[obstacle]]\nshape = { kind = \"union\", parts = [{ kind = \"surface\", file = \"" +
                      file + "\" }] }\n");
  EXPECT_TRUE(contains(part, "s.toml:8:9: ") && contains(part, remedy)) << part;
}

TEST(Obstacles, HaveAStiffnessForPenaltiesAndSpringsOnly) {
  const std::string said = complaints_with(kPlane + "stiffness = 1e6\n");
  EXPECT_TRUE(
      contains(said, "s.toml:9:13: stiffness has a meaning for contact = \"penalty\" and \"springs\" only"))
      << said;
  EXPECT_EQ(*obstacle_of("shape = { kind = \"plane\" }\ncontact = \"penalty\"\nstiffness = 1e6\n").stiffness,
            1e6);
}

TEST(Obstacles, AsSpringsNeedASchemeThatSolvesAllItsStages) {
  const std::string springs = kPlane + "contact = \"springs\"\n";
  for (const char* scheme : {"backward-euler", "sdirk2", "bdf2"})
    EXPECT_EQ(complaints_with(springs + "[time]\nscheme = \"" + scheme + "\"\n"), "") << scheme;
  for (const char* scheme : {"symplectic-euler", "tr-bdf2", "trapezoidal", "ros3pl", "rk4", "newmark"}) {
    const std::string said = complaints_with(springs + "[time]\nscheme = \"" + scheme + "\"\n");
    EXPECT_TRUE(contains(said, "finds its springs while a stage is solved")) << scheme << said;
  }
}

TEST(Drags, RefuseWhatTheyDoNotSlowDown) {
  const auto said = [](const std::string& more) {
    return complaints_about(
        "name = \"s\"\nduration = 1\n[[body]]\nshape = { kind = \"box\" }\ndamping = { ether = 1 }\n" + more);
  };
  EXPECT_EQ(said(""), "");
  EXPECT_TRUE(contains(said("[time]\nscheme = \"bdf2\"\n"), "bdf2 remembers the velocities")) << said("");
  EXPECT_TRUE(contains(said("material = { mass = \"consistent\" }\n"), "take vertices for masses"));
}

TEST(Obstacles, RefuseNegativeFriction) {
  EXPECT_TRUE(contains(complaints_with(kPlane + "friction = -0.1\n"), "s.toml:9:12: friction = -0.1 is out"));
}

TEST(Obstacles, OfAMeshGetAGridOfA64thOfTheirLongestSide) {
  const Scene scene = placed("[[obstacle]]\nmesh = \"" + cube_file("grid.obj", false) +
                             "\"\ncontact = \"penalty\"\nscale = [1, 2, 1]\n");
  ASSERT_TRUE(scene.keys.obstacles[0].grid.has_value());
  EXPECT_NEAR(scene.keys.obstacles[0].grid->cell, 2.0 / 64, 1e-12);
}

TEST(Obstacles, OfAThinMeshGetAGridThatSeesIt) {
  const Obstacle plate = obstacle_of("mesh = \"" + cube_file("plate.obj", false) +
                                     "\"\ncontact = \"penalty\"\nscale = [0.3, 0.01, 0.3]\n");
  for (const double x : {0.02, 0.13, 0.27})
    for (const double z : {0.03, 0.16, 0.26})
      EXPECT_NEAR(plate.shape->distance({x, 0.005, z}), -0.005, 0.002);
}

TEST(Obstacles, WithTooCoarseAGridAreRefused) {
  const std::string said = complaints_with(
      "[[obstacle]]\nshape = { kind = \"sphere\", radius = 0.3 }\ncontact = \"penalty\"\ngrid = { cell = "
      "1000 }\n");
  EXPECT_TRUE(contains(said,
                       "s.toml:8:9: obstacle obstacle: a grid with cells of 1e+03 m misses 100% of the "
                       "obstacle, which is 0.58"))
      << said;
}

TEST(Obstacles, OnAGridAreCloseToTheShape) {
  const std::string ball = "shape = { kind = \"sphere\" }\ncontact = \"penalty\"\n";
  const Obstacle exact = obstacle_of(ball);
  for (const std::string way : {"linear", "cubic"}) {
    const Obstacle sampled = obstacle_of(ball + "grid = { cell = 0.02, interpolation = \"" + way + "\" }\n");
    EXPECT_NE(sampled.shape->distance({0.3, 0.31, 0.2}), exact.shape->distance({0.3, 0.31, 0.2})) << way;
    EXPECT_NEAR(sampled.shape->distance({0.3, 0.31, 0.2}), exact.shape->distance({0.3, 0.31, 0.2}), 1e-3)
        << way;
  }
}

TEST(Obstacles, WithTooFineAGridAreRefused) {
  const std::string said = complaints_with(
      "[[obstacle]]\nshape = { kind = \"sphere\" }\ncontact = \"penalty\"\ngrid = { cell = 1e-6 }\n");
  EXPECT_TRUE(contains(said, "s.toml:8:9: obstacle obstacle: ")) << said;
}

TEST(Obstacles, OfAnOpenSurfaceAreRefusedWithItsBoundary) {
  const std::string file = cube_file("open.obj", true);
  const std::string said = complaints_with("[[obstacle]]\nmesh = \"" + file + "\"\ncontact = \"penalty\"\n");
  EXPECT_TRUE(contains(said, "s.toml:8:8: obstacle obstacle: " + file + ": the surface is open")) << said;
  EXPECT_TRUE(contains(said, "4 boundary edges in 1 hole")) << said;
  EXPECT_FALSE(contains(said, "cloth")) << said;
}

TEST(Obstacles, OfAnOpenSurfaceNameThePlaceInTheFile) {
  const std::string file = cube_file("open-moved.obj", true);
  const auto place = [&](const std::string& more) {
    const std::string said =
        complaints_with("[[obstacle]]\nmesh = \"" + file + "\"\ncontact = \"penalty\"\n" + more);
    return said.substr(said.find("around ["));
  };
  EXPECT_EQ(place("translate = [5, 6, 7]\n"), place(""));
}

TEST(Obstacles, OfAMissingFileAreRefused) {
  const std::string said = complaints_with("[[obstacle]]\nmesh = \"nowhere.obj\"\ncontact = \"penalty\"\n");
  EXPECT_TRUE(contains(said, "s.toml:8:8: obstacle obstacle: mesh file ")) << said;
}

TEST(Obstacles, WithoutAnEndCannotHaveAGrid) {
  const std::string said = complaints_with(kPlane + "contact = \"penalty\"\ngrid = { cell = 0.1 }\n");
  EXPECT_TRUE(contains(said, "s.toml:8:9: obstacle obstacle: a grid would have no end")) << said;
}

TEST(Obstacles, AreDrawnByTheirSurface) {
  for (const std::string shape :
       {"kind = \"sphere\"", "kind = \"box\", size = [4, 0.05, 4]", "kind = \"bowl\", thickness = 0.02",
        "kind = \"difference\", parts = [{ kind = \"plane\" }, { kind = \"sphere\" }]"}) {
    const Obstacle obstacle = obstacle_of("shape = { " + shape + " }\n");
    EXPECT_GT(obstacle.surface.triangles.size(), 100U) << shape;
    for (const Vec3& vertex : obstacle.surface.vertices)
      ASSERT_LT(std::abs(obstacle.shape->distance(vertex)), 0.05) << shape << vertex.transpose();
  }
}

TEST(Obstacles, WithoutAnEndAreDrawnAroundTheScene) {
  const Obstacle plane =
      obstacle_of("shape = { kind = \"plane\", normal = [0, 2, 0] }\ntranslate = [7, 1, 0]\n");
  EXPECT_TRUE(plane.unbounded());
  ASSERT_EQ(plane.surface.triangles.size(), 2U);
  Bounds bounds;
  for (const Vec3& vertex : plane.surface.vertices) bounds.extend(vertex);
  EXPECT_LT((bounds.center() - Vec3(0, 1, 0)).norm(), 1e-12);
  EXPECT_NEAR(bounds.sizes().y(), 0, 1e-12);
  EXPECT_GT(bounds.sizes().x(), 5);
  const auto& [a, b, c] = plane.surface.triangles[0];
  const auto& x = plane.surface.vertices;
  EXPECT_GT((x[b] - x[a]).cross(x[c] - x[a]).y(), 0);
}

TEST(Obstacles, BeyondNumbersAreRefused) {
  for (const std::string more :
       {"shape = { kind = \"sphere\", radius = 1e308 }\n", "shape = { kind = \"plane\" }\nscale = 1e-308\n",
        "shape = { kind = \"box\" }\ntranslate = [1e308, 1e308, 1e308]\n",
        "shape = { kind = \"plane\" }\ntranslate = [0, 1e308, 0]\n",
        "shape = { kind = \"box\", size = [1e-300, 1e300, 1] }\n"}) {
    const std::string said = complaints_with("[[obstacle]]\n" + more);
    EXPECT_TRUE(said.empty() || contains(said, "s.toml:8:9: obstacle obstacle: ")) << more << said;
  }
  EXPECT_NE(complaints_with("[[obstacle]]\nshape = { kind = \"plane\" }\ntranslate = [0, 1e308, 0]\n"), "");
}

TEST(Obstacles, AreWrittenAndReadBackToTheSame) {
  const std::string once =
      placed(kPlane + "name = \"ground\"\nfriction = 0.3\nmotion = { spin = 3, velocity = [0, 0.1, 0] }\n" +
             "[[obstacle]]\nmesh = \"" + cube_file("back.obj", false) +
             "\"\ncontact = \"penalty\"\nstiffness = 1e6\n[contact]\nself_collision = true\nstiffness = 3e5\n"
             "friction = 0.1\nallow_initial_overlap = true\n")
          .text();
  EXPECT_EQ(place_scene(parse_scene(once, "again.toml"), ".").text(), once);
}

TEST(Obstacles, AreChangedByOverrides) {
  const std::string plane = kPlane + "name = \"ground\"\n" + kPlane;
  const std::vector<std::string> items = {"obstacle.ground.friction=0.5", "obstacle.obstacle-2.friction=0.7"};
  const SceneKeys keys = parse_scene(kHigh + plane, "s.toml", items);
  EXPECT_EQ(keys.obstacles[0].friction, 0.5);
  EXPECT_EQ(keys.obstacles[1].friction, 0.7);
}

TEST(Obstacles, BecomePartOfTheModel) {
  const Simulation simulation = build(placed(kPlane));
  ASSERT_EQ(simulation.model->obstacles.size(), 1U);
  EXPECT_EQ(simulation.model->obstacles[0].name, "obstacle");
}

TEST(Contact, HasNoSelfCollisionUnlessAsked) {
  const SceneKeys keys = parse_scene(kHead + kBody, "s.toml");
  EXPECT_FALSE(keys.contact.self_collision);
  EXPECT_TRUE(
      parse_scene(kHead + kBody + "[contact]\nself_collision = true\n", "s.toml").contact.self_collision);
}

TEST(Contact, WantsTrueOrFalse) {
  EXPECT_EQ(complaints_about(kHead + kBody + "[contact]\nself_collision = 1\n"),
            "s.toml:7:18: self_collision = 1 is of the wrong type, it must be true or false");
}

TEST(Scripts, MoveAtConstantVelocityAndSpin) {
  const Simulation simulation =
      build(place_scene(parse_scene(kHead + kBody +
                                        "[[body.script]]\nregion = { indices = [0] }\nvelocity = [0, 2, 0]\n"
                                        "axis = [0, 0, 1]\nspin = 180\n",
                                    "s.toml"),
                        "."));
  const Motion& motion = simulation.model->scripts[0].motion;
  EXPECT_LT((motion.position({1, 0, 0}, 1) - Vec3(-1, 2, 0)).norm(), 1e-12);
}

}  // namespace
}  // namespace pliant::obstacles_test
