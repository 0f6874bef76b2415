// Texts made from the descriptions of the keys: resolved scenes, the reference page, the schema.
#include <nlohmann/json.hpp>

#include "pliant/base/files.hpp"
#include "pliant/scene/reference.hpp"
#include "scene/complaints.hpp"

namespace pliant::documents_test {

namespace {

const std::string kFullScene = R"(
name = "All \"keys\" \\ \u0001 é"
duration = 0.1
frame_rate = 33.3
gravity = [0.1, -0.0, 1e-300]
seed = 9223372036854775807
wind = { velocity = [1, 0, 0.5], drag = 0.5 }
[time]
steps_per_frame = 3
[solver]
method = "newton-cholesky"
tolerance = 1e-7
norm = "gradient"
on_failure = "stop"
[[body]]
shape = { kind = "box", size = [1, 2, 3], cells = [1, 2, 3], tets_per_cell = 6 }
damping = { stiffness = 0.01 }
scale = 2
[body.start]
stretch = [1.1, 1, 1]
rotate = { axis = [1, 0, 0], angle = 30 }
collapse = [0, 0, 0]
[[body.script]]
region = { box = { min = [-9, -9, -9], max = [-0.9, 9, 9] } }
keys = [{ time = 0 }, { time = 1, translate = [0, 1, 0], angle = 90 }]
interpolation = "smooth"
release = 2
[[body.script]]
region = { indices = [5] }
[[body.attachment]]
region = { sphere = { center = [0, 0, 0], radius = 100 } }
stiffness = 10
[[body]]
name = "second"
shape = {}
[contact]
friction = 0.2
[[obstacle]]
shape = { kind = "torus" }
scale = 2
motion = { velocity = [1, 0, 0] }
contact = "penalty"
grid = { cell = 0.1, interpolation = "cubic" }
)";

Scene scene_of(const std::string& text) { return place_scene(parse_scene(text, "s.toml"), "."); }

}  // namespace

TEST(ResolvedScene, ReadsBackToTheSameText) {
  const std::string once = scene_of(kFullScene).text();
  EXPECT_EQ(scene_of(once).text(), once);
}

TEST(ResolvedScene, FillsInDefaults) {
  const std::string text = scene_of(kHead + kBody).text();
  EXPECT_TRUE(contains(text, "frame_rate = 24.0  # Hz\n")) << text;
  EXPECT_TRUE(contains(
      text, "poisson = 0.4, c01_share = 0.2, density = 1000.0, mass = \"lumped\", stretch_min = 1.0"))
      << text;
  EXPECT_TRUE(contains(text, "\n[body.start]\nstretch = [1.0, 1.0, 1.0]\n")) << text;
}

TEST(ResolvedScene, ChangesWithTheMesh) {
  SceneKeys keys = parse_scene(kHead + kBody, "s.toml");
  Scene scene = place_scene(keys, ".");
  const std::string before = scene.text();
  scene.bodies[0].rest.vertices[0].x() += 1e-15;
  EXPECT_NE(scene.text(), before);
}

TEST(ReferencePage, IsTheOneInTheDocs) {
  EXPECT_EQ(read_file(std::string(PLIANT_SOURCE_DIR) + "/docs/scenes.md"), scene_reference())
      << "write it anew: pliant reference > docs/scenes.md";
}

TEST(ReferencePage, HasUnitsRangesAndDefaults) {
  EXPECT_TRUE(contains(scene_reference(),
                       "| `young` | number | `100000` | Pa | greater than 0 | Young's modulus: how stiff |"));
}

TEST(Schema, IsValidJsonThatDescribesNestedKeys) {
  const nlohmann::json schema = nlohmann::json::parse(scene_schema());
  const auto& body = schema.at("properties").at("body").at("items").at("properties");
  EXPECT_EQ(body.at("material").at("properties").at("poisson").at("exclusiveMaximum"), 0.5);
  EXPECT_EQ(body.at("script").at("items").at("required").at(0), "region");
  EXPECT_EQ(schema.at("required").size(), 3u);
  const auto& obstacle = schema.at("properties").at("obstacle").at("items").at("properties");
  EXPECT_EQ(obstacle.at("contact").at("enum").size(), 5u);
  EXPECT_EQ(schema.at("properties").at("contact").at("properties").at("self_collision").at("type"),
            "boolean");
}

}  // namespace pliant::documents_test
