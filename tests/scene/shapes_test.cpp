// Shapes as scene files and command lines write them.
#include <filesystem>

#include "pliant/base/files.hpp"
#include "pliant/mesh_file/obj.hpp"
#include "scene/complaints.hpp"

namespace pliant::shapes_test {

namespace {

Scene with_shape(const std::string& shape) {
  return place_scene(parse_scene(kHead + "[[body]]\nshape = " + shape + "\n", "s.toml"), ".");
}

std::string complaints_about_shape(const std::string& shape) {
  return complaints_about(kHead + "[[body]]\nshape = " + shape + "\n");
}

std::string complaints_about_words(const std::string& words) {
  try {
    parse_shape(words);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

double volume_of(const TetMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c, d] : mesh.tets)
    sum += signed_volume(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], mesh.vertices[d]);
  return sum;
}

}  // namespace

TEST(SceneShapes, OfEveryKindBecomeBodies) {
  for (const Choice& choice : shape_choices()) {
    std::string more;
    const std::string ball = "{ kind = \"sphere\", translate = [0.3, 0, 0] }";
    if (choice.name == "surface" || choice.name == "sheet" || choice.name == "half-space" ||
        choice.name == "plane")
      continue;  // two need a file, the others have no end
    if (choice.name == "union" || choice.name == "smooth-union" || choice.name == "intersection")
      more = ", parts = [" + ball + ", { kind = \"torus\" }]";
    if (choice.name == "difference") more = ", parts = [{ kind = \"box\" }, " + ball + "]";
    if (choice.name == "shell") more = ", thickness = 0.3, parts = [" + ball + "]";
    if (choice.name == "mirror") more = ", parts = [" + ball + "]";
    const Scene scene = with_shape("{ kind = \"" + std::string(choice.name) + "\"" + more + " }");
    EXPECT_GT(scene.bodies[0].rest.element_count(), choice.name == "strand" ? 7u : 50u) << choice.name;
    EXPECT_EQ(scene.bodies[0].rest.thin(), is_thin(std::string(choice.name))) << choice.name;
    // What is written is read back to the same.
    EXPECT_EQ(place_scene(parse_scene(scene.text(), "again.toml"), ".").text(), scene.text()) << choice.name;
  }
}

TEST(SceneShapes, HaveTheKeysOfTheirKindOnly) {
  const std::string said = complaints_about_shape("{ kind = \"torus\", radius = 2 }");
  EXPECT_TRUE(contains(said, "s.toml:5:27: unknown key \"radius\"")) << said;
  EXPECT_TRUE(contains(said, "major")) << said;
}

TEST(SceneShapes, SayHowManyPartsTheyTake) {
  EXPECT_TRUE(contains(complaints_about_shape("{ kind = \"union\" }"),
                       "union takes at least 1 part, here none is given"));
  const std::string two = "[{ kind = \"torus\" }, { kind = \"sphere\" }]";
  EXPECT_TRUE(contains(complaints_about_shape("{ kind = \"shell\", parts = " + two + " }"),
                       "shell takes one part, here 2 are given"));
  const std::string said =
      complaints_about_shape("{ kind = \"difference\", parts = [{ kind = \"torsu\" }] }");
  EXPECT_TRUE(contains(said, "did you mean \"torus\"?")) << said;
}

TEST(SceneShapes, AreScaledTurnedAndMovedWithTheirParts) {
  const Scene scene = with_shape(
      "{ kind = \"difference\", cell = 0.1, translate = [0, 5, 0], parts = [{ kind = \"sphere\", scale = 2 "
      "}, "
      "{ kind = \"cylinder\", radius = 0.3, height = 4, rotate = { axis = [1, 0, 0], angle = 90 } }] }");
  Eigen::AlignedBox3d bounds;
  for (const Vec3& x : scene.bodies[0].rest.vertices) bounds.extend(x);
  EXPECT_NEAR(bounds.center().y(), 5, 0.02);
  EXPECT_NEAR(bounds.sizes().x(), 2, 0.02);
  EXPECT_LT(bounds.sizes().z(), 1.95);  // where the cylinder comes out
}

TEST(SceneShapes, FillSurfacesFromFiles) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "pliant-scene-shapes.obj";
  const Scene ball = with_shape("{ kind = \"sphere\", cell = 0.1 }");
  write_obj(file, extract_surface(ball.bodies[0].rest).mesh);
  const Scene by_mesh =
      place_scene(parse_scene(kHead + "[[body]]\nmesh = \"" + file.string() + "\"\n", "s.toml"), ".");
  const Scene by_shape = with_shape("{ kind = \"surface\", cell = 0.06, file = \"" + file.string() + "\" }");
  EXPECT_NEAR(volume_of(by_mesh.bodies[0].rest), volume_of(ball.bodies[0].rest), 0.02);
  EXPECT_NEAR(volume_of(by_shape.bodies[0].rest), volume_of(ball.bodies[0].rest), 0.01);
  EXPECT_GT(by_shape.bodies[0].rest.tets.size(), by_mesh.bodies[0].rest.tets.size());
  std::filesystem::remove(file);
}

TEST(SceneShapes, AreNotRegularWhereTheMesherIsAsked) {
  const size_t block = with_shape("{ kind = \"box\" }").bodies[0].rest.tets.size();
  EXPECT_EQ(block, 8u * 8 * 8 * 5);
  EXPECT_NE(with_shape("{ kind = \"box\", fit = \"edges\" }").bodies[0].rest.tets.size(), block);
  EXPECT_TRUE(
      contains(complaints_about_shape("{ kind = \"box\", cell = 0.1, cells = [4, 4, 4] }"), "leave one out"));
}

TEST(SceneShapes, OfHexahedraRefuseWhatIsForTetrahedra) {
  for (const std::string key :
       {"fit = \"edges\"", "grading = 0.5", "refine = [{ center = [0, 0, 0], radius = 0.2, cell = 0.05 }]"})
    EXPECT_TRUE(contains(
        complaints_about_shape("{ kind = \"sphere\", elements = \"hexahedra\", " + key + " }"), "all alike"))
        << key;
}

TEST(SceneShapes, SayWhatIsWrongWithWhatHasNoInside) {
  EXPECT_TRUE(contains(complaints_about_shape("{ kind = \"half-space\" }"), "has no end"));
  EXPECT_TRUE(contains(complaints_about_shape(
                           "{ kind = \"intersection\", parts = [{ kind = \"sphere\" }, { kind = \"sphere\", "
                           "translate = [5, 0, 0] }] }"),
                       "the shape is empty"));
  EXPECT_TRUE(contains(complaints_about(kHead + "[[body]]\nmesh = \"\"\n"), "mesh is empty"));
  EXPECT_TRUE(contains(complaints_about_words("[{}]"), "--shape takes a kind"));
}

TEST(SceneShapes, SayWhichFileIsMissing) {
  EXPECT_TRUE(
      contains(complaints_about_shape("{ kind = \"surface\", file = \"nowhere.obj\" }"), "nowhere.obj"));
  EXPECT_TRUE(contains(complaints_about_shape("{ kind = \"surface\" }"), "needs a file"));
}

TEST(SceneShapes, AreReadFromWords) {
  const ShapeKeys torus = parse_shape("torus major=0.4 minor=0.1 cell=0.05");
  EXPECT_EQ(torus.kind, "torus");
  EXPECT_EQ(torus.major, 0.4);
  EXPECT_EQ(*torus.cell, 0.05);
  EXPECT_EQ(parse_shape("{ kind = \"union\", parts = [{ kind = \"sphere\" }] }").parts.size(), 1u);
  EXPECT_TRUE(contains(complaints_about_words("torsu"), "did you mean \"torus\"?"));
  EXPECT_TRUE(contains(complaints_about_words("torus majr=1"), "did you mean \"major\"?"));
  EXPECT_TRUE(contains(complaints_about_words("torus major=-1"), "out of range"));
  EXPECT_FALSE(complaints_about_words("torus major=").empty());
  EXPECT_FALSE(complaints_about_words("").empty());
  EXPECT_FALSE(complaints_about_words("{ kind").empty());
}

}  // namespace pliant::shapes_test
