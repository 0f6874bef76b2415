// Planar bodies in scenes.
#include "scene/complaints.hpp"

namespace pliant::planar_test {
namespace {

const std::string kSheet = kHead + "[[body]]\nshape = { kind = \"rectangle\", cells = [5, 2, 1] }\n";

TEST(Planar, BodiesStayInTheirPlaneWhateverPullsThem) {
  Simulation simulation =
      build(place_scene(parse_scene("gravity = [1, -2, 30]\n" + kSheet + "translate = [0, 0, 0.25]\n" +
                                        "[body.start]\nmove = [{ vertex = 9, to = [-0.3, 0.2, 7] }]\n",
                                    "s.toml"),
                        "."));
  for (int step = 0; step < 3; ++step)
    EXPECT_TRUE(is_converged(simulation.scheme->step(simulation.state, 1 / 24.0).outcome.status));
  for (Index i = 0; i < simulation.state.x.size(); i += 3) {
    EXPECT_EQ(simulation.state.x[i + 2], 0.25);
    EXPECT_EQ(simulation.state.v[i + 2], 0);
  }
  EXPECT_EQ(simulation.model->inverted_elements(simulation.state.x), 0);
  Vec3 momentum = Vec3::Zero();
  for (Index i = 0; i < 18; ++i) momentum += simulation.model->mass[i] * simulation.state.v.segment<3>(3 * i);
  EXPECT_NEAR(momentum.x(), 1000 * 1 * 3 / 24.0, 2) << "of 1000 kg that fell for 1/8 s";
  EXPECT_NEAR(momentum.y(), 1000 * -2 * 3 / 24.0, 2);
}

TEST(Planar, AVertexMovedAcrossOthersInvertsElements) {
  const Simulation simulation = build(place_scene(
      parse_scene(kSheet + "[body.start]\nmove = [{ vertex = 9, to = [-0.3, 0, 0] }]\n", "s.toml"), "."));
  EXPECT_GT(simulation.model->inverted_elements(simulation.state.x), 0);
  EXPECT_EQ(simulation.state.x.segment<3>(27), Vec3(-0.3, 0, 0));
}

TEST(Planar, ComplainsAboutMovesOutOfThePlane) {
  for (const std::string more :
       {"[body.start]\nvelocity = [0, 0, 1]\n", "[body.start]\nrotate = { axis = [1, 0, 0], angle = 10 }\n",
        "[body.start]\nspin = [1, 0, 0]\n",
        "[[body.script]]\nregion = { indices = [0] }\nkeys = [{ time = 0, translate = [0, 0, 1] }]\n",
        "[[body.script]]\nregion = { indices = [0] }\nvelocity = [0, 0, 1]\n",
        "[[body.script]]\nregion = { indices = [0] }\naxis = [0, 1, 0]\nspin = 1\n"}) {
    EXPECT_TRUE(contains(complaints_about(kSheet + more), "a rectangle moves in its plane only")) << more;
  }
  EXPECT_TRUE(contains(complaints_about(kSheet + "rotate = { axis = [1, 0, 0], angle = 10 }\n"),
                       "must lie in a plane of constant z"));
  EXPECT_EQ(complaints_about(kSheet + "rotate = { axis = [0, 0, 1], angle = 10 }\n"), "");
}

TEST(Planar, ComplainsAboutAVertexToMoveThatIsNotThere) {
  EXPECT_TRUE(contains(complaints_about(kSheet + "[body.start]\nmove = [{ vertex = 18, to = [0, 0, 0] }]\n"),
                       "has no vertex 18; it has 18, counted from 0"));
}

}  // namespace
}  // namespace pliant::planar_test
