// Complaints that need the meshes, and where bodies are put.
#include <filesystem>

#include "pliant/base/files.hpp"
#include "pliant/scene/placement.hpp"
#include "scene/complaints.hpp"

namespace pliant::placing_test {

namespace {

namespace fs = std::filesystem;

Scene placed(const std::string& more) {
  return place_scene(parse_scene(kHead + kBody + more, "s.toml"), ".");
}

Start started(const std::string& more, std::uint64_t seed = 1) {
  const Scene scene = placed(more);
  return start_of(scene.keys.bodies[0], scene.bodies[0], seed);
}

/// A Gmsh file of one tetrahedron and a fifth vertex in no element; the tetrahedron's last corner is at
/// height z.
std::string mesh_file(const std::string& name, double z) {
  const fs::path path = fs::temp_directory_path() / name;
  write_file_atomically(
      path, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 " +
                std::to_string(z) + "\n5 9 9 9\n$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n");
  return path.string();
}

}  // namespace

TEST(Placing, ReportsAMissingMeshFile) {
  const std::string said = complaints_about(kHead + "[[body]]\nmesh = \"nowhere.msh\"\n");
  EXPECT_TRUE(contains(said, "s.toml:5:8: mesh file ")) << said;
  EXPECT_TRUE(contains(said, "nowhere.msh does not exist")) << said;
}

TEST(Placing, ReportsAMissingMeshFileBesideWrongKeys) {
  const fs::path path = fs::temp_directory_path() / "wrong-in-two-ways.toml";
  write_file_atomically(path, kHead + "[[body]]\nmesh = \"nowhere.msh\"\nmaterial = { poisson = 0.5 }\n");
  try {
    read_scene(path);
    FAIL() << "nothing was wrong";
  } catch (const InputError& error) {
    ASSERT_EQ(error.complaints().size(), 2U) << error.what();
    EXPECT_TRUE(contains(error.complaints()[0].text(), ":5:8: mesh file ")) << error.what();
    EXPECT_TRUE(contains(error.complaints()[1].text(), "poisson = 0.5")) << error.what();
  }
}

TEST(Placing, ReportsAFlatElementAndALooseVertex) {
  const std::string said =
      complaints_about(kHead + "[[body]]\nmesh = \"" + mesh_file("flat.msh", 0) + "\"\n");
  EXPECT_TRUE(contains(said, "s.toml:5:8: body body: 1 element has zero volume: 0")) << said;
  EXPECT_TRUE(contains(said, "1 vertex is in no element: 4")) << said;
}

TEST(Placing, ReportsAnInvertedElement) {
  const std::string said =
      complaints_about(kHead + "[[body]]\nmesh = \"" + mesh_file("inverted.msh", -1) + "\"\n");
  EXPECT_TRUE(contains(said, "s.toml:5:8: body body: 1 inverted element: 0")) << said;
}

TEST(Placing, ReportsARegionThatSelectsNothing) {
  const std::string said = complaints_about(
      kHead + kBody + "[[body.script]]\nregion = { sphere = { center = [9, 9, 9], radius = 1 } }\n");
  EXPECT_EQ(
      said,
      "s.toml:7:10: this region selects no vertex; body body has 8 vertices between [-0.5, -0.5, -0.5] and "
      "[0.5, 0.5, 0.5] where it is placed");
}

TEST(Placing, ReportsAnIndexOutOfRange) {
  const std::string said = complaints_about(kHead + kBody + "[[body.script]]\nregion = { indices = [8] }\n");
  EXPECT_TRUE(contains(said, "s.toml:7:10: body body: ")) << said;
}

TEST(Placing, ReportsVerticesInTwoScripts) {
  const std::string script = "[[body.script]]\nregion = { indices = [0, 1] }\n";
  EXPECT_TRUE(contains(complaints_about(kHead + kBody + script + script),
                       "s.toml:9:10: 2 of the 2 vertices of this script are in an earlier script already"));
}

TEST(Placing, ReportsTheMistakesOfAllBodies) {
  const std::string script = "[[body.script]]\nregion = { indices = [8] }\n";
  const std::string said = complaints_about(kHead + kBody + script + kBody + script);
  EXPECT_TRUE(contains(said, "s.toml:7:10: body body:")) << said;
  EXPECT_TRUE(contains(said, "s.toml:11:10: body body-2:")) << said;
}

TEST(Placing, ReportsMassesBeyondNumbers) {
  EXPECT_TRUE(contains(complaints_about(kHead + kBody + "scale = 1e200\n"),
                       "s.toml:5:9: body body: the mass of a vertex is too large"));
}

TEST(Placing, ScalesThenTurnsThenMoves) {
  const Scene scene =
      placed("scale = [2, 1, 1]\nrotate = { axis = [0, 0, 1], angle = 90 }\ntranslate = [10, 0, 0]\n");
  // The first vertex is (-1, -1, -1)/2.
  EXPECT_NEAR((scene.bodies[0].rest.vertices[0] - Vec3(10.5, -1, -0.5)).norm(), 0, 1e-14);
}

TEST(Placing, SelectsRegionsOnThePlacedShape) {
  const Scene scene = placed(
      "translate = [5, 0, 0]\n[[body.script]]\nregion = { plane = { point = [5.4, 0, 0], normal = [1, 0, 0] "
      "} }\n");
  EXPECT_EQ(scene.bodies[0].scripted[0].size(), 4u);
}

TEST(Start, IsTheRestShapeToTheLastBitByDefault) {
  const Scene scene = placed("translate = [0.1, 0.2, 0.3]\nrotate = { angle = 33 }\n");
  const Start start = start_of(scene.keys.bodies[0], scene.bodies[0], 1);
  EXPECT_EQ(start.positions, scene.bodies[0].rest.vertices);
  EXPECT_EQ(start.velocities[3], Vec3::Zero());
}

TEST(Start, StretchesAboutTheCentreOfMass) {
  const Start start = started("translate = [1, 0, 0]\n[body.start]\nstretch = [3, 1, 1]\n");
  EXPECT_NEAR((start.positions[0] - Vec3(-0.5, -0.5, -0.5)).norm(), 0, 1e-14);
}

TEST(Start, SpinsAboutTheCentreOfMass) {
  const Start start =
      started("translate = [7, 0, 0]\n[body.start]\nspin = [0, 0, 2]\nvelocity = [0, 0, 1]\n");
  EXPECT_NEAR((start.velocities[0] - Vec3(1, -1, 1)).norm(), 0, 1e-13);
}

TEST(Start, RandomisesInsideTheBoundingBox) {
  const Start start = started("[body.start]\nrandomise = 1\n");
  for (const Vec3& x : start.positions) EXPECT_LE(x.cwiseAbs().maxCoeff(), 0.5);
  EXPECT_NE(start.positions[0], start.shape[0]);
}

TEST(Start, RandomisesTheSameWayForTheSameSeedOnly) {
  const std::string randomise = "[body.start]\nrandomise = 0.5\n";
  EXPECT_EQ(started(randomise, 3).positions, started(randomise, 3).positions);
  EXPECT_NE(started(randomise, 3).positions, started(randomise, 4).positions);
}

TEST(Start, CollapsesAllButScriptedVertices) {
  const Start start =
      started("[body.start]\ncollapse = [1, 2, 3]\n[[body.script]]\nregion = { indices = [0] }\n");
  EXPECT_EQ(start.positions[0], start.shape[0]);
  EXPECT_EQ(start.positions[7], Vec3(1, 2, 3));
}

}  // namespace pliant::placing_test
