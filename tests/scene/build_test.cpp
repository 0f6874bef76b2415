#include "errors.hpp"
#include "pliant/scene/gallery.hpp"
#include "scene/complaints.hpp"

namespace pliant::build_test {

namespace {
Simulation built(const std::string& more) {
  return build(place_scene(parse_scene(kHead + more, "s.toml"), "."));
}
}  // namespace

TEST(Build, PutsBodiesOneAfterTheOther) {
  const Simulation simulation = built(kBody + kBody + "translate = [5, 0, 0]\n");
  EXPECT_EQ(simulation.model->bodies.at(1).first_vertex, 8);
  EXPECT_EQ(simulation.state.x.size(), 48);
  EXPECT_EQ(simulation.state.x[24], 4.5);
}

TEST(Build, SharesTheMassAmongVertices) { EXPECT_NEAR(built(kBody).model->mass.sum(), 1000, 1e-9); }

TEST(Build, PlansTheFrames) {
  EXPECT_EQ(built(kBody).frames, 24);
  EXPECT_EQ(built("frame_rate = 10.5\n" + kBody).frames, 11);
}

TEST(Build, LeavesOutGravityWhereItIsSwitchedOff) {
  EXPECT_EQ(built("gravity = [0, 0, 0]\n" + kBody).model->terms.size(), 1u);
  EXPECT_EQ(built(kBody).model->terms.size(), 2u);
}

TEST(Build, PutsScriptedVerticesOnTheirPath) {
  const Simulation simulation = built(
      kBody + "[[body.script]]\nregion = { indices = [7] }\nkeys = [{ time = 0, translate = [0, 1, 0] }]\n");
  EXPECT_EQ(simulation.state.x[22], 1.5);
  EXPECT_EQ(simulation.model->scripts.at(0).vertices, std::vector<int>{7});
}

TEST(Build, AddsDampingAndAttachmentsAsTermsOfTheStage) {
  const Simulation simulation = built(kBody +
                                      "damping = { stiffness = 0.1, mass = 1 }\n"
                                      "[[body.attachment]]\nregion = { indices = [0] }\nstiffness = 5\n");
  EXPECT_EQ(simulation.model->stage_terms.size(), 3u);
}

TEST(Build, LetsAFreeBodyFall) {
  Simulation simulation = built("frame_rate = 10\n" + kBody);
  EXPECT_TRUE(is_converged(simulation.scheme->step(simulation.state, 0.1).outcome.status));
  EXPECT_NEAR(simulation.state.v[1], -0.981, 1e-3);
}

TEST(Build, GivesMooneyRivlinItsShareOfC01) {
  const auto energy = [](const std::string& share) {
    const Simulation simulation =
        built(kBody + "material = { model = \"mooney-rivlin\", c01_share = " + share + " }\n" +
              "[body.start]\nstretch = [2, 1, 1]\n");
    Vector energies(simulation.model->terms[0].potential->contributions());
    simulation.model->terms[0].potential->evaluate(
        simulation.state.x, {energies.data(), static_cast<size_t>(energies.size())}, nullptr);
    return energies.sum();
  };
  EXPECT_LT(energy("1.0"), 0.99 * energy("0.0"));
}

TEST(Build, RefusesAStartWhereTheMaterialIsInfinite) {
  const std::string collapsed = "[body.start]\ncollapse = [0, 0, 0]\n";
  EXPECT_NO_THROW(built(kBody + "material = { model = \"stable-neo-hookean\" }\n" + collapsed));
  try {
    built(kBody + "material = { model = \"neo-hookean\" }\n" + collapsed);
    FAIL() << "an infinite energy was accepted";
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "body body starts with 5 flat or inverted elements")) << error.what();
  }
}

TEST(Build, GivesEachBodyItsOwnRandomNumbers) {
  const std::string random = kBody + "[body.start]\nrandomise = 1\n";
  const Simulation simulation = built(random + random);
  EXPECT_NE(simulation.state.x.head(24), simulation.state.x.tail(24));
}

TEST(Gallery, EverySceneInItCanBeBuilt) {
  const Gallery gallery({std::string(PLIANT_SOURCE_DIR) + "/scenes"});
  for (const Gallery::Entry& entry : gallery.scenes()) EXPECT_NO_THROW(read_scene(entry.path)) << entry.name;
}

TEST(Gallery, NamesTheNearestScene) {
  const Gallery gallery({std::string(PLIANT_SOURCE_DIR) + "/scenes"});
  EXPECT_ERROR(InputError, "did you mean 'gast-2015/stretch'?", gallery.find("gast-2015/strech"));
}

}  // namespace pliant::build_test
