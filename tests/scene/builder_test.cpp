// A scene file and a program that says the same make the same simulation, bit by bit.
#include "errors.hpp"
#include "pliant/mesh/box.hpp"
#include "pliant/shape/shapes.hpp"
#include "scene/complaints.hpp"

namespace pliant::builder_test {
namespace {

const std::string kScene = R"(
name = "Bar"
duration = 1
[time]
scheme = "sdirk2"
[contact]
self_collision = true
[[body]]
name = "bar"
shape = { kind = "box", size = [3, 1, 1], cells = [3, 1, 1] }
material = { model = "stable-neo-hookean", young = 5e4, poisson = 0.45 }
damping = { stiffness = 0.01, mass = 0.1, internal = 0.2 }
[body.start]
velocity = [0, -1, 0]
[[body.script]]
region = { plane = { point = [-1.5, 0, 0], normal = [-1, 0, 0] } }
velocity = [0, 0.5, 0]
[[body.attachment]]
region = { indices = [7] }
stiffness = 100
[[obstacle]]
shape = { kind = "half-space" }
translate = [0, -0.6, 0]
contact = "program"
friction = 0.3
)";

ModelBuilder program() {
  ModelBuilder builder;
  const BodyId bar =
      builder.add_body(make_box({.size = {3, 1, 1}, .cells = {3, 1, 1}}),
                       {.name = "bar",
                        .material = {.model = "stable-neo-hookean", .young = 5e4, .poisson = 0.45},
                        .damping = {.stiffness = 0.01, .mass = 0.1, .internal = 0.2},
                        .velocity = {0, -1, 0}});
  Motion up;
  up.constant_velocity = {0, 0.5, 0};
  builder.move(bar, builder.vertices_in(bar, PlaneRegion{{-1.5, 0, 0}, {-1, 0, 0}}), up);
  builder.attach(bar, {.vertices = {7}, .stiffness = 100});
  builder.add_obstacle(
      {.name = {},
       .shape = moved(make_half_space(Vec3::UnitY()), 1, Eigen::Quaterniond::Identity(), {0, -0.6, 0}),
       .way = ContactWay::program,
       .friction = 0.3});
  builder.set_contact({.self_collision = true});
  builder.set_time({.scheme = {.name = "sdirk2"}});
  return builder;
}

TEST(SceneDocument, BodiesMayHaveMeshesOfTheProgram) {
  const std::string text = kHead + "[[body]]\nmesh = \"mine\"\ntranslate = [1, 0, 0]\n" + kBody;
  const TetMesh box = make_box({.size = {3, 1, 1}, .cells = {3, 1, 1}});
  SceneDocument document{parse_toml(text, "s.toml"), ".", {std::make_shared<PaintedMesh>(PaintedMesh{box})}};
  const Scene scene = read_scene(document);
  ASSERT_EQ(scene.bodies.size(), 2u);
  EXPECT_EQ(scene.bodies[0].rest.tets, box.tets);
  EXPECT_EQ(scene.bodies[0].rest.vertices[0], Vec3(box.vertices[0] + Vec3(1, 0, 0)));
  EXPECT_NE(scene.text().find("mesh = \"mine\""), std::string::npos) << "it is no path";
  document.meshes.clear();
  EXPECT_ERROR(InputError, "mine", read_scene(document));
}

TEST(Builder, MakesWhatASceneFileMakes) {
  Simulation scene = build(place_scene(parse_scene(kScene, "s.toml"), "."));
  Assembly made = program().build();
  EXPECT_EQ(scene.model->obstacles[0].name, made.model->obstacles[0].name);
  EXPECT_EQ(scene.state.v, made.state.v);
  Index contacts = 0;
  for (int i = 0; i < 8; ++i) {
    contacts += made.step(1 / 24.0).contacts.corrected;
    scene.step(1 / 24.0);
    ASSERT_EQ(scene.state.x, made.state.x) << "step " << i;
    ASSERT_EQ(scene.state.v, made.state.v) << "step " << i;
  }
  EXPECT_GT(contacts, 0);
}

TEST(Builder, HasTheDefaultsOfSceneFiles) {
  const Scene scene = place_scene(parse_scene(kHead + kBody, "s.toml"), ".");
  EXPECT_EQ(builder_of(scene).combination().solver, SolverOptions().method);
  ModelBuilder plain;
  plain.add_body(scene.bodies[0].rest);
  const std::string file = builder_of(scene).build().description, own = plain.build().description;
  // A scene says where each vertex starts, and how long its steps may become.
  const auto without = [](std::string text, const std::string& key) {
    const size_t begin = text.find("\n" + key + " = ");
    return begin == std::string::npos ? text : text.erase(begin, text.find('\n', begin + 1) - begin);
  };
  const auto common = [&](std::string text) {
    for (const char* key : {"positions", "velocities", "velocity", "longest_step"}) text = without(text, key);
    return text;
  };
  EXPECT_EQ(common(file), common(own));
}

TEST(Builder, ChecksAsSceneFilesDo) {
  const std::string complaint = complaints_about(kHead + "[solver]\nmethod = \"local-global\"\n" + kBody);
  EXPECT_TRUE(contains(complaint, "s.toml:4:1: solver local-global takes full steps")) << complaint;
  EXPECT_TRUE(contains(complaints_about(kHead + "[time]\nscheme = \"xpbd\"\n" + kBody),
                       "body body is not made of springs"));
}

}  // namespace
}  // namespace pliant::builder_test
