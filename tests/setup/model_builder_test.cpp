#include "pliant/setup/model_builder.hpp"

#include "meshes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/integrate/honour.hpp"
#include "pliant/material/mooney_rivlin.hpp"
#include "pliant/shape/shapes.hpp"

namespace pliant::model_builder_test {
namespace {

using testing::cube;

TetMesh cube_at(double height) {
  TetMesh mesh = cube(1);
  for (Vec3& vertex : mesh.vertices) vertex.y() += height;
  return mesh;
}

Obstacle ground(ContactWay way) {
  return {.name = "ground", .shape = make_half_space(Vec3::UnitY()), .way = way};
}

double lowest(const Vector& x) {
  double y = x[1];
  for (Index i = 1; i < x.size(); i += 3) y = std::min(y, x[i]);
  return y;
}

/// What is said; empty where nothing is refused.
template <class Do>
std::string refusal(const Do& something) {
  try {
    something();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ModelBuilder, LetsAFreeBodyFall) {
  ModelBuilder builder;
  builder.add_body(cube(1), {.velocity = {1, 0, 0}});
  Assembly falling = builder.build();
  EXPECT_TRUE(is_converged(falling.step(0.1).outcome.status));
  EXPECT_NEAR(falling.state.v[0], 1, 1e-9);
  EXPECT_NEAR(falling.state.v[1], -0.981, 1e-3);
  EXPECT_EQ(falling.model->bodies[0].name, "body");
}

TEST(ModelBuilder, LosesNoContactWhateverItsWay) {
  for (const ContactWay way : {ContactWay::constraint, ContactWay::penalty, ContactWay::springs,
                               ContactWay::post_process, ContactWay::program}) {
    ModelBuilder builder;
    builder.add_body(cube_at(0.6), {.material = {.young = 1e5}, .velocity = {0, -1, 0}});
    builder.add_obstacle(ground(way));
    Assembly made = builder.build();
    for (int i = 0; i < 30; ++i) made.step(0.01);
    EXPECT_GT(lowest(made.state.x), -0.05) << name(way) << ": free fall would lead to -0.6 m";
  }
}

TEST(ModelBuilder, LosesNoContactBetweenBodiesWhateverItsWay) {
  for (const ContactWay way : {ContactWay::penalty, ContactWay::program}) {
    ModelBuilder builder;
    const BodyId held = builder.add_body(cube_at(0));
    builder.hold(held, {0, 1, 2, 3, 4, 5, 6, 7});
    TetMesh small = cube_at(0);
    for (Vec3& vertex : small.vertices) vertex = 0.5 * vertex + Vec3(0.03, 0.78, 0.05);
    builder.add_body(small, {.name = "falling", .velocity = {0, -1, 0}});
    builder.set_contact({.self_collision = true, .way = way});
    Assembly made = builder.build();
    for (int i = 0; i < 30; ++i) made.step(0.01);
    EXPECT_GT(lowest(made.state.x.tail(24)), 0.4) << name(way);
  }
}

TEST(ModelBuilder, HoldsMovesAndAttaches) {
  ModelBuilder builder;
  const BodyId body = builder.add_body(cube(1), {.name = "jelly", .material = {.young = 1e4}});
  const std::vector<int> left = builder.vertices_in(body, PlaneRegion{{-0.5, 0, 0}, {-1, 0, 0}}),
                         right = builder.vertices_in(body, PlaneRegion{{0.5, 0, 0}, {1, 0, 0}});
  builder.hold(body, left);
  Motion pull;
  pull.constant_velocity = {1, 0, 0};
  builder.move(body, {right[0]}, pull, 0.05);
  builder.attach(body, {.vertices = {right[1]}, .stiffness = 1e6});
  builder.set_gravity(Vec3::Zero());
  Assembly made = builder.build();
  const Vector start = made.state.x;
  made.step(0.05);
  for (const int vertex : left)
    EXPECT_EQ(made.state.x.segment<3>(3 * vertex), start.segment<3>(3 * vertex)) << vertex;
  EXPECT_NEAR(made.state.x[3 * right[0]], start[3 * right[0]] + 0.05, 1e-12);
  EXPECT_LT((made.state.x - start).segment<3>(3 * right[1]).norm(), 1e-3);
  EXPECT_GT((made.state.x - start).segment<3>(3 * right[2]).norm(), 1e-6);
}

TEST(ModelBuilder, NamesTheBodyInEveryComplaint) {
  ModelBuilder builder;
  const BodyId id = builder.add_body(cube(1), {.name = "bar"});
  EXPECT_EQ(refusal([&] { builder.add_body(cube(1), {.name = "soft", .material = {.young = -1}}); }),
            "body soft: material.young is -1; it must be positive");
  EXPECT_EQ(refusal([&] { builder.hold(id, {8}); }),
            "body bar: there is no vertex 8; it has 8, counted from 0");
  EXPECT_EQ(refusal([&] {
              builder.vertices_in(id, SphereRegion{{9, 9, 9}, 1});
            }),
            "body bar: this region selects no vertex");
  builder.hold(id, {3});
  EXPECT_EQ(refusal([&] { builder.hold(id, {2, 3}); }), "body bar: vertex 3 follows another script already");
  EXPECT_EQ(refusal([&] { builder.add_body(cube(1), {.name = "bar"}); }),
            "two are called body bar; name one of them otherwise");
  EXPECT_EQ(refusal([&] { builder.add_body(cube(1), {.name = "a/b"}); }),
            "\"a/b\" cannot be part of a file name; use letters, digits, - and _ only");
  EXPECT_EQ(refusal([&] { builder.add_obstacle({.name = "wall"}); }), "obstacle wall has no shape");
}

TEST(ModelBuilder, RefusesParametersThatTheMaterialDoesNotTake) {
  const auto built = [](const std::string& model, const Parameters& own) {
    ModelBuilder builder;
    builder.add_body(cube(1), {.name = "bar", .material = {.model = model, .parameters = own}});
    return refusal([&] { builder.build(); });
  };
  EXPECT_EQ(built("mooney-rivlin", MooneyRivlinShare{0.4}), "");
  EXPECT_EQ(built("mooney-rivlin", MooneyRivlinShare{-1}),
            "body bar: c01_share = -1 is out of range, it must be at least 0 and at most 1");
  EXPECT_EQ(
      built("neo-hookean", MooneyRivlinShare{0.4}),
      "body bar: the parameters are those of mooney-rivlin, and the model is neo-hookean; leave them out");
  EXPECT_EQ(built("lagged-corotated", MooneyRivlinShare{0.4}),
            "body bar: lagged-corotated takes no parameters; leave them out");
}

TEST(ModelBuilder, RefusesWhatCannotStart) {
  ModelBuilder inside;
  inside.add_body(cube_at(0), {.name = "sunk"});
  inside.add_obstacle(ground(ContactWay::constraint));
  EXPECT_NE(refusal([&] { inside.build(); }).find("body sunk starts inside obstacle ground: 4 of its 8"),
            std::string::npos);

  ModelBuilder flat;
  flat.add_body(cube(1), {.name = "flat",
                          .material = {.model = "neo-hookean"},
                          .positions = std::vector<Vec3>(8, Vec3::Zero())});
  EXPECT_NE(refusal([&] { flat.build(); }).find("body flat starts with 5 flat or inverted elements"),
            std::string::npos);

  ModelBuilder inverted;
  TetMesh mesh = cube(1);
  std::swap(mesh.tets[0][0], mesh.tets[0][1]);
  inverted.add_body(mesh, {.name = "inverted"});
  EXPECT_TRUE(refusal([&] { inverted.build(); }).starts_with("body inverted: "));
  EXPECT_EQ(refusal([] { ModelBuilder().build(); }), "there is no body; add one");
}

TEST(ModelBuilder, RefusesChoicesThatDoNotGoTogether) {
  ModelBuilder builder;
  builder.add_body(cube_at(2));
  builder.add_obstacle(ground(ContactWay::constraint));
  builder.set_time({.scheme = {.name = "implicit-midpoint"}});
  EXPECT_EQ(refusal([&] { builder.build(); }), holds_no_constraints("implicit-midpoint"));
  ModelBuilder springy;
  springy.add_body(cube(1), {.name = "box", .material = {.model = "springs", .consistent_mass = true}});
  EXPECT_EQ(refusal([&] { springy.build(); }),
            "body box: springs connect points, whose masses are lumped; leave it out");
}

std::string description(const std::function<void(ModelBuilder&)>& change = {}) {
  ModelBuilder builder;
  const BodyId body = builder.add_body(cube_at(1));
  builder.hold(body, {0});
  builder.add_obstacle(ground(ContactWay::constraint));
  if (change) change(builder);
  return builder.build().description;
}

TEST(Description, IsTheSameForTheSameModelAndAnotherForAnyOther) {
  const std::string as_it_is = description();
  EXPECT_EQ(description(), as_it_is);
  const std::function<void(ModelBuilder&)> changes[] = {
      [](ModelBuilder& b) { b.hold({0}, {1}); },
      [](ModelBuilder& b) { b.move({0}, {1}, {}, 3); },
      [](ModelBuilder& b) { b.attach({0}, {.vertices = {1}, .stiffness = 2}); },
      [](ModelBuilder& b) {
        b.set_gravity({0, -9.8100000000000005, 1e-300});
      },
      [](ModelBuilder& b) { b.set_wind({}); },
      [](ModelBuilder& b) { b.set_solver({.tolerance = 0.0011}); },
      [](ModelBuilder& b) { b.set_time({.scheme = {.name = "sdirk2"}}); },
      [](ModelBuilder& b) { b.set_contact({.friction = 0.1}); },
      [](ModelBuilder& b) { b.add_body(cube_at(3)); },
      [](ModelBuilder& b) { b.add_body(cube_at(3 + 1e-15), {.material = {.bending_springs = 0}}); },
      [](ModelBuilder& b) { b.add_body(cube_at(3), {.material = {.model = "mooney-rivlin"}}); },
      [](ModelBuilder& b) {
        b.add_body(cube_at(3),
                   {.material = {.model = "mooney-rivlin", .parameters = MooneyRivlinShare{0.3}}});
      },
      [](ModelBuilder& b) { b.add_obstacle({.name = {}, .shape = make_sphere(0.1)}); },
      [](ModelBuilder& b) { b.add_obstacle({.name = {}, .shape = make_sphere(0.2)}); }};
  std::set<std::string> all = {as_it_is};
  for (const auto& change : changes) EXPECT_TRUE(all.insert(description(change)).second) << all.size();
}

}  // namespace
}  // namespace pliant::model_builder_test
