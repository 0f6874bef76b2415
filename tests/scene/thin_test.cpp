// Cloth, ribbons and strands in scenes.
#include <unistd.h>

#include <filesystem>
#include <numeric>

#include "errors.hpp"
#include "pliant/base/text.hpp"
#include "pliant/integrate/account.hpp"
#include "pliant/mesh_file/mesh_file.hpp"
#include "scene/complaints.hpp"

namespace pliant::thin_test {

namespace {

Scene with_body(const std::string& body) {
  return place_scene(parse_scene(kHead + "[[body]]\n" + body + "\n", "s.toml"), ".");
}

double mass_of(const Scene& scene) {
  const std::vector<double> masses =
      lumped_masses(scene.bodies[0].rest, scene.keys.bodies[0].material.density);
  return std::accumulate(masses.begin(), masses.end(), 0.0);
}

TEST(ThinBodies, WeighWhatTheirThicknessSays) {
  EXPECT_NEAR(mass_of(with_body("shape = { kind = \"cloth\", length = 2, width = 0.5, thickness = 0.002 }")),
              2, 1e-12);
  EXPECT_NEAR(mass_of(with_body("shape = { kind = \"cloth\" }")), 1, 1e-12)
      << "a square metre of a millimetre";
  EXPECT_NEAR(mass_of(with_body("shape = { kind = \"strand\", length = 3, thickness = 0.02 }")),
              1000 * 3 * std::acos(-1) * 1e-4, 1e-12);
}

TEST(ThinBodies, AreMadeOfSpringsUnlessTheyAreToBeSheets) {
  EXPECT_EQ(with_body("shape = { kind = \"cloth\" }").keys.bodies[0].material.model, "springs");
  EXPECT_EQ(with_body("shape = { kind = \"box\" }").keys.bodies[0].material.model, "fixed-corotated");
  EXPECT_TRUE(contains(
      complaints_about(kHead +
                       "[[body]]\nshape = { kind = \"strand\" }\nmaterial = { model = \"corotated\" }\n"),
      "a strand cannot be made of corotated"));
  // The resolved scene says the same, even where it is the default of solids.
  const Simulation sheet =
      build(with_body("shape = { kind = \"cloth\" }\nmaterial = { model = \"fixed-corotated\", bending = 1, "
                      "bending_springs = 0.1 }"));
  EXPECT_TRUE(contains(sheet.scene_text, "model = \"fixed-corotated\"")) << sheet.scene_text;
  EXPECT_EQ(sheet.model->terms.size(), 4u) << "membrane, hinges, springs across edges, gravity";
}

TEST(StiffnessDamping, IsOfHingesToo) {
  // A flat sheet that begins to bend stretches nothing.
  const auto lost = [](double bending) {
    Simulation sheet = build(with_body(format(
        "shape = {{ kind = \"cloth\", cells = [4, 4, 1] }}\nmaterial = {{ model = \"fixed-corotated\", "
        "bending = {} }}\ndamping = {{ stiffness = 0.1 }}",
        bending)));
    const double dt = 1 / sheet.frame_rate;
    const std::unique_ptr<StageTerm> damping = sheet.model->stage_terms.at(0)->clone();
    damping->begin_stage(sheet.scheme->first_stage(sheet.state, dt));
    Vector v = Vector::Zero(sheet.state.x.size());
    for (Index i = 0; i < v.size() / 3; ++i) v[3 * i + 1] = std::pow(sheet.state.x[3 * i], 2);
    return damping->power(sheet.state.x, v, {}).dissipated;
  };
  EXPECT_GT(lost(1), 0);
  EXPECT_LT(lost(0), 1e-9 * lost(1));
  EXPECT_NEAR(lost(2), 2 * lost(1), 1e-9 * lost(1));
}

TEST(LaggedCorotated, RefusesWhatItDoesNotHave) {
  for (const std::string key : {"volume = 1e4", "fibre = { direction = [1, 0, 0], stiffness = 10 }"}) {
    const std::string body = "[[body]]\nshape = { kind = \"box\" }\nmaterial = { model = \"";
    EXPECT_TRUE(contains(complaints_about(kHead + body + "lagged-corotated\", " + key + " }\n"),
                         "do not go with lagged-corotated"))
        << key;
    EXPECT_EQ(complaints_about(kHead + body + "corotated\", " + key + " }\n"), "") << key;
  }
}

TEST(Springs, AreForSolidsToo) {
  for (const std::string shape : {"box", "sphere", "rectangle"})
    EXPECT_EQ(complaints_about(kHead + "[[body]]\nshape = { kind = \"" + shape +
                               "\" }\nmaterial = { model = \"springs\" }\n"),
              "")
        << shape;
  for (const char* method : {"local-global", "lbfgs", "newton-cg"}) {
    Simulation simulation =
        build(place_scene(parse_scene(format("name = \"Jelly\"\nduration = 1\n[solver]\nmethod = \"{}\"\n"
                                             "[[body]]\nshape = {{ kind = \"box\", cells = [3, 3, 3] }}\n"
                                             "material = {{ model = \"springs\" }}\n"
                                             "start = {{ stretch = [1.2, 1, 1] }}\n",
                                             method),
                                      "s.toml"),
                          "."));
    const double before = energies_of(*simulation.model, simulation.state).of(kElasticEnergy);
    EXPECT_TRUE(is_converged(simulation.scheme->step(simulation.state, 1 / 24.0).outcome.status)) << method;
    EXPECT_LT(energies_of(*simulation.model, simulation.state).of(kElasticEnergy), before) << method;
  }
}

TEST(ThinBodies, HangAndSwing) {
  // A pendulum of a strand that is held at one end keeps its length and comes down.
  Simulation simulation = build(
      with_body("shape = { kind = \"strand\", length = 1, cells = [20, 1, 1] }\nmaterial = { young = 1e8 }\n"
                "[[body.script]]\nregion = { sphere = { center = [-0.5, 0, 0], radius = 0.01 } }"));
  for (int step = 0; step < 6; ++step) {
    const StepReport report = simulation.scheme->step(simulation.state, 1 / 24.0);
    EXPECT_TRUE(is_converged(report.outcome.status)) << step;
  }
  const Vector& x = simulation.state.x;
  EXPECT_LT(x[3 * 20 + 1], -0.1);
  double length = 0;
  for (Index i = 0; i + 6 <= x.size(); i += 3) length += (x.segment<3>(i + 3) - x.segment<3>(i)).norm();
  EXPECT_NEAR(length, 1, 1e-3);
}

TEST(ThinBodies, ClothHangsFromItsCorners) {
  Simulation simulation =
      build(with_body("shape = { kind = \"cloth\", cells = [12, 12, 1] }\nmaterial = { young = 1e6 }\n"
                      "[[body.script]]\nregion = { sphere = { center = [-0.5, 0, -0.5], radius = 0.01 } }\n"
                      "[[body.script]]\nregion = { sphere = { center = [0.5, 0, -0.5], radius = 0.01 } }"));
  bool converged = true;
  for (int step = 0; step < 12; ++step)
    converged &= is_converged(simulation.scheme->step(simulation.state, 1 / 24.0).outcome.status);
  EXPECT_TRUE(converged);
  EXPECT_LT(simulation.state.x[3 * 84 + 1], -0.1) << "its middle";
  EXPECT_EQ(simulation.model->inverted_elements(simulation.state.x), 0);
}

TEST(ThinBodies, AFlatRibbonStartsAlongItsCurve) {
  const Scene scene = with_body(
      "shape = { kind = \"ribbon\", curve = \"helix\", radius = 0.1, turns = 3, rest = \"flat\", cells = "
      "[60, 2, 1] "
      "}\ntranslate = [0, 5, 0]");
  const PlacedBody& body = scene.bodies[0];
  ASSERT_EQ(body.start.size(), body.rest.vertices.size());
  const Simulation simulation = build(scene);
  for (size_t i = 0; i < body.start.size(); ++i)
    EXPECT_EQ(simulation.state.x.segment<3>(3 * static_cast<Index>(i)), body.start[i]);
  EXPECT_GT((body.start[0] - body.rest.vertices[0]).norm(), 0.1);
}

TEST(ThinBodies, AFlatRibbonSpinsAboutWhereItIs) {
  const Simulation simulation =
      build(with_body("shape = { kind = \"ribbon\", curve = \"spline\", rest = \"flat\", cells = [20, 2, 1], "
                      "points = [{ at = [10, 0, 0] "
                      "}, { at = [10.5, 0.5, 0] }, { at = [11, 0, 0] }] }\nstart = { spin = [0, 0, 1] }"));
  Vec3 momentum = Vec3::Zero();
  for (Index i = 0; i < simulation.model->mass.size(); ++i)
    momentum += simulation.model->mass[i] * simulation.state.v.segment<3>(3 * i);
  EXPECT_LT(momentum.norm(), 1e-12);
}

TEST(ThinBodies, ComeFromFiles) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("pliant-thin-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  // Two squares with corners of their own, a vertex that nothing uses, and a triangle without area.
  write_mesh_file(
      folder / "loose.obj",
      {{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}, {1, 0, 0}, {2, 0, 0}, {2, 0, 1}, {1, 0, 1}, {9, 9, 9}},
       {},
       {{0, 2, 1}, {0, 3, 2}, {4, 6, 5}, {4, 7, 6}, {1, 1, 2}},
       {}});
  write_mesh_file(folder / "rope.vtu", {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {}, {}, {}, {{0, 1}, {1, 2}}});
  const auto place = [&](const std::string& shape) {
    return place_scene(parse_scene(kHead + "[[body]]\nshape = " + shape + "\n", "s.toml"), folder);
  };
  const Scene sheet = place("{ kind = \"sheet\", file = \"loose.obj\" }");
  EXPECT_EQ(sheet.bodies[0].rest.vertices.size(), 6u) << "sewn together";
  EXPECT_EQ(sheet.bodies[0].rest.edges.size(), 9u);
  EXPECT_NEAR(mass_of(sheet), 2, 1e-12);
  EXPECT_EQ(place("{ kind = \"strand\", file = \"rope.vtu\" }").bodies[0].rest.edges.size(), 2u);
  EXPECT_ERROR(InputError, "there are no lines in it", place("{ kind = \"strand\", file = \"loose.obj\" }"));
  EXPECT_ERROR(InputError, "there are no triangles in it",
               place("{ kind = \"sheet\", file = \"rope.vtu\" }"));
  std::filesystem::remove_all(folder);
}

TEST(ThinBodies, RefuseWhatDoesNotFit) {
  const auto complaint = [](const std::string& shape) {
    return complaints_about(kHead + "[[body]]\nshape = " + shape + "\n");
  };
  EXPECT_TRUE(
      contains(complaint("{ kind = \"cloth\", pattern = \"rings\" }"), "cannot have the pattern rings"));
  EXPECT_TRUE(contains(complaint("{ kind = \"cloth-disc\", pattern = \"regular\" }"),
                       "cannot have the pattern regular"));
  EXPECT_TRUE(contains(complaint("{ kind = \"sheet\" }"), "needs a file"));
  EXPECT_TRUE(contains(complaint("{ kind = \"cloth\", curve = \"helix\" }"), "curve"));
  EXPECT_TRUE(contains(complaint("{ kind = \"union\", parts = [{ kind = \"cloth\" }] }"), "cloth"));
  EXPECT_NE(complaint("{ kind = \"ribbon\", curve = \"spline\" }"), "") << "a spline without points";
}

}  // namespace

}  // namespace pliant::thin_test
