// Numbers painted on the vertices of mesh files, and what scenes make of them.
#include <unistd.h>

#include <filesystem>

#include "meshes.hpp"
#include "pliant/mesh_file/mesh_file.hpp"
#include "scene/complaints.hpp"

namespace pliant::painted_test {

namespace {

/// A cube of 1 m around the origin: `pin` is 1 on its left half, `hard` is 2 everywhere, `soft` falls to
/// zero, `arrow` is (3, 4, 0) at the vertices on the left face.
MeshContents painted_cube() {
  const TetMesh cube = testing::cube(4);
  MeshContents contents = contents_of({cube});
  PointData pin{"pin", 1, {}}, hard{"hard", 1, {}}, soft{"soft", 1, {}}, arrow{"arrow", 3, {}};
  for (const Vec3& vertex : cube.vertices) {
    pin.values.push_back(vertex.x() < 1e-9 ? 1 : 0);
    hard.values.push_back(2);
    soft.values.push_back(0);
    for (const double value : {3.0, 4.0, 0.0}) arrow.values.push_back(vertex.x() < -0.49 ? value : 0);
  }
  contents.fields = {pin, hard, soft, arrow};
  return contents;
}

class Painted : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    for (const char* file : {"cube.msh", "cube.ply"}) write_mesh_file(folder_ / file, painted_cube());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Scene place(const std::string& body) const {
    return place_scene(parse_scene(kHead + "[[body]]\n" + body + "\n", "s.toml"), folder_);
  }
  std::string complaints(const std::string& body) const {
    try {
      place(body);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("pliant-painted-" + std::to_string(::getpid()));
};

TEST_F(Painted, ChoosesVerticesOfAFileOfTetrahedra) {
  const Scene scene = place(
      "mesh = \"cube.msh\"\n[[body.script]]\nregion = { field = { name = \"pin\" } }\n"
      "[[body.attachment]]\nregion = { field = { name = \"arrow\", above = 4.9 } }\nstiffness = 1");
  const PlacedBody& body = scene.bodies[0];
  EXPECT_EQ(body.scripted[0].size(), 75u) << "three of the five layers of 25";
  for (const int vertex : body.scripted[0]) EXPECT_LT(body.rest.vertices[vertex].x(), 0.01);
  EXPECT_EQ(body.attached[0].size(), 25u) << "a vector counts by its length";
}

TEST_F(Painted, SurvivesWhereASurfaceIsFilled) {
  for (const char* source :
       {"mesh = \"cube.ply\"", "shape = { kind = \"surface\", file = \"cube.ply\", cell = 0.1 }"}) {
    const Scene scene =
        place(std::string(source) + "\n[[body.script]]\nregion = { field = { name = \"pin\" } }");
    const PlacedBody& body = scene.bodies[0];
    std::vector<char> chosen(body.rest.vertices.size(), 0);
    for (const int vertex : body.scripted[0]) chosen[vertex] = 1;
    for (size_t i = 0; i < chosen.size(); ++i) {
      const double x = body.rest.vertices[i].x();
      if (std::abs(x - 0.125) < 0.126) continue;  // it falls off there
      EXPECT_EQ(chosen[i] != 0, x < 0.125) << source << " at " << x;
    }
  }
}

TEST_F(Painted, TurnsWithItsSurface) {
  const Scene scene = place(
      "shape = { kind = \"surface\", file = \"cube.ply\", cell = 0.1, scale = 2, translate = [5, 0, 0], "
      "rotate = { axis = [0, 0, 1], angle = 90 } }\n[[body.script]]\nregion = { field = { name = \"pin\" } "
      "}");
  const PlacedBody& body = scene.bodies[0];
  ASSERT_GT(body.scripted[0].size(), 100u);
  for (const int vertex : body.scripted[0])
    EXPECT_LT(body.rest.vertices[vertex].y(), 0.51) << "left is below now";
}

TEST_F(Painted, MultipliesTheStiffness) {
  const auto energy = [&](const std::string& material) {
    Simulation simulation = build(
        place("mesh = \"cube.msh\"\nmaterial = { " + material + " }\nstart = { stretch = [1.5, 1, 0.8] }"));
    return simulation.scheme->step(simulation.state, 0.01).energies.of("elastic");
  };
  EXPECT_EQ(energy("young = 1e4, young_field = \"hard\""), energy("young = 2e4"));
  EXPECT_NE(energy("young = 1e4, young_field = \"hard\""), energy("young = 1e4"));
}

TEST_F(Painted, MakesElementsAsStiffAsTheirOwnCorners) {
  MeshContents cube = painted_cube();
  for (size_t i = 0; i < cube.vertices.size(); ++i) cube.fields[1].values[i] = 2 + cube.vertices[i].x();
  write_mesh_file(folder_ / "cube.msh", cube);
  const Scene scene = place("mesh = \"cube.msh\"\nmaterial = { young_field = \"hard\" }");
  const PlacedBody& body = scene.bodies[0];
  ASSERT_EQ(body.stiffness.size(), body.rest.tets.size());
  for (size_t e = 0; e < body.rest.tets.size(); ++e) {
    double x = 0;
    for (const int corner : body.rest.tets[e]) x += body.rest.vertices[corner].x() / 4;
    EXPECT_NEAR(body.stiffness[e], 2 + x, 1e-12);
  }
  const Simulation painted = build(scene), plain = build(place("mesh = \"cube.msh\""));
  std::vector<double> energies(body.rest.tets.size()), plain_energies = energies;
  const Vector x = 1.1 * painted.state.x;
  painted.model->terms[0].potential->evaluate(x, energies, nullptr);
  plain.model->terms[0].potential->evaluate(x, plain_energies, nullptr);
  for (size_t e = 0; e < energies.size(); ++e)
    EXPECT_NEAR(energies[e], body.stiffness[e] * plain_energies[e], 1e-9 * energies[e]);
}

TEST_F(Painted, IsPartOfWhatASceneIs) {
  const auto text = [&] { return place("mesh = \"cube.msh\"").text(); };
  const std::string before = text();
  MeshContents cube = painted_cube();
  cube.fields[0].values[0] += 1;
  write_mesh_file(folder_ / "cube.msh", cube);
  EXPECT_NE(text(), before) << "a run must not be resumed with other paint";
}

TEST_F(Painted, SaysWhichFieldsThereAre) {
  EXPECT_TRUE(
      contains(complaints("mesh = \"cube.msh\"\n[[body.script]]\nregion = { field = { name = \"pins\" } }"),
               "no field called \"pins\" is painted on the mesh; there are pin, hard, soft, arrow"));
  EXPECT_TRUE(contains(
      complaints("shape = { kind = \"box\" }\nmaterial = { young_field = \"hard\" }"),
      "material.young_field: no field called \"hard\" is painted on the mesh; there is none at all"));
}

TEST_F(Painted, RefusesAStiffnessOfZero) {
  EXPECT_TRUE(
      contains(complaints("mesh = \"cube.msh\"\nmaterial = { young_field = \"soft\" }"), "must be positive"));
}

}  // namespace

}  // namespace pliant::painted_test
