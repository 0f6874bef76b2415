// Schemes that remember the step before start anew where that says nothing about the next: after contact and
// where vertices are released. A step from a state whose history was thrown away is then the same to the bit.
#include "integrate/contact_scenes.hpp"
#include "integrate/scenes.hpp"
#include "pliant/integrate/schemes.hpp"
#include "test_names.hpp"

namespace pliant::restart_test {
namespace {

using testing::at;
using testing::contact_solver;
using testing::ContactScene;
using testing::Cube;
using testing::cube;

class Remembering : public ::testing::TestWithParam<std::string> {
 protected:
  /// Takes a step with its history and one without; whether both lead to the same place.
  static bool starts_anew(const Model& model, State& state, double dt) {
    const auto scheme = [&] { return make_joint_scheme({.name = GetParam()}, model, contact_solver()); };
    State forgetful = state;
    forgetful.arrays.clear();
    scheme()->step(forgetful, dt);
    scheme()->step(state, dt);
    return state.x == forgetful.x && state.v == forgetful.v;
  }
};

std::vector<std::string> schemes_with_a_history() {
  std::vector<std::string> names;
  for (const SchemeKind& kind : scheme_kinds()) {
    const auto stages = make_stage_scheme({.name = std::string(kind.name)});
    if (stages && !stages->history().empty()) names.emplace_back(kind.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Schemes, Remembering, ::testing::ValuesIn(schemes_with_a_history()),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param); });

TEST_P(Remembering, StartsAnewAfterContactAndNotBefore) {
  ContactScene scene;
  scene.add(cube(1), at({0, 0.56, 0}), {.young = 3e4, .velocity = {0.3, -2, 0}});
  Obstacle ground = testing::half_space(Vec3::UnitY());
  ground.way = ends_with_a_stage({.name = GetParam()}) ? ContactWay::constraint : ContactWay::penalty;
  scene.add(ground);
  scene.finish({.gravity = Vec3(0, -9.81, 0)});
  const auto scheme = make_joint_scheme({.name = GetParam()}, scene.model, contact_solver());
  scheme->step(scene.state, 0.01);
  EXPECT_FALSE(starts_anew(scene.model, scene.state, 0.01));  // in free fall
  Index contacts = 0;
  for (int i = 0; i < 10 && contacts == 0; ++i) contacts = scheme->step(scene.state, 0.01).contacts.count;
  ASSERT_GT(contacts, 0);
  EXPECT_TRUE(starts_anew(scene.model, scene.state, 0.01));
}

TEST_P(Remembering, StartsAnewWhereVerticesAreReleasedAndNotBefore) {
  Cube cube({.gravity = Vec3(0, -9.81, 0), .pull = true});
  cube.model.scripts[1].release = 0.045;
  const auto scheme = make_joint_scheme({.name = GetParam()}, cube.model, contact_solver());
  for (int i = 0; i < 3; ++i) scheme->step(cube.state, 0.01);
  EXPECT_FALSE(starts_anew(cube.model, cube.state, 0.01));
  EXPECT_TRUE(starts_anew(cube.model, cube.state, 0.01));  // free from the beginning of this step
  EXPECT_FALSE(starts_anew(cube.model, cube.state, 0.01));
}

}  // namespace
}  // namespace pliant::restart_test
