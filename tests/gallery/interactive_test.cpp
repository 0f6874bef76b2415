// What the experiments after Liu 2018 must show, in small.
#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/base/text.hpp"
#include "pliant/material/spline.hpp"
#include "pliant/scene/registry.hpp"
#include "pliant/scene/scene.hpp"
#include "pliant/study/convergence.hpp"

namespace pliant::interactive_test {
namespace {

Scene scene(const std::string& name, const std::vector<std::string>& changes) {
  return read_scene(format("{}/scenes/liu-2018/{}.toml", PLIANT_SOURCE_DIR, name), changes);
}

/// A scene after some time.
struct After {
  Simulation simulation;
  int failed = 0;
  double smallest_gap = std::numeric_limits<double>::infinity();
  double elastic = 0, first_elastic = 0;

  After(const std::string& name, double duration, const std::vector<std::string>& changes)
      : simulation(build(scene(name, changes))) {
    const double dt = 1 / simulation.frame_rate;
    const int steps = static_cast<int>(std::lround(duration / dt));
    for (int i = 0; i < steps; ++i) {
      const StepReport report = simulation.scheme->step(simulation.state, dt);
      simulation.state.time = (i + 1) * dt;
      if (simulation.tearing) simulation.tearing->after_step(simulation);
      failed += has_failed(report.outcome.status);
      smallest_gap = std::min(smallest_gap, report.contacts.smallest_gap);
      elastic = report.energies.of("elastic");
      if (i == 0) first_elastic = elastic;
    }
  }

  const Vector& x() const { return simulation.state.x; }
  double lowest(size_t body = 0) const {
    double low = std::numeric_limits<double>::infinity();
    const Body& of = simulation.model->bodies[body];
    for (size_t i = 0; i < of.rest.vertices.size(); ++i)
      low = std::min(low, x()[3 * (of.first_vertex + static_cast<Index>(i)) + 1]);
    return low;
  }
  /// Of all tetrahedra of a body, in parts of what it is at rest.
  double volume(size_t body) const {
    const Body& of = simulation.model->bodies[body];
    double now = 0, then = 0;
    for (const auto& tet : of.rest.tets) {
      const auto place = [&](int k) { return Vec3(x().segment<3>(3 * (of.first_vertex + tet[k]))); };
      const auto rest = [&](int k) { return of.rest.vertices[tet[k]]; };
      now += signed_volume(place(0), place(1), place(2), place(3));
      then += signed_volume(rest(0), rest(1), rest(2), rest(3));
    }
    return now / then;
  }
  /// Of all edges of a thin body.
  double longest_stretch(size_t body) const {
    const Body& of = simulation.model->bodies[body];
    double most = 0;
    for (const auto& [a, b] : of.rest.edges) {
      const auto place = [&](int i) { return Vec3(x().segment<3>(3 * (of.first_vertex + i))); };
      most =
          std::max(most, (place(a) - place(b)).norm() / (of.rest.vertices[a] - of.rest.vertices[b]).norm());
    }
    return most;
  }
};

/// Error (Eq. 5.10) after some iterations of a solver on a step of a scene.
double error_after(const Simulation& simulation, const Stage& stage, const SolverOptions& options,
                   int iterations) {
  return ConvergenceStudy(*simulation.model, stage).of(options, iterations).points.back().error;
}

TEST(Curtain, StiffensWithTheIterationsOfPositionBasedDynamicsAndNotWithOurs) {
  const auto hung = [](const std::string& method, int iterations) {
    return -After("curtain", 1.5,
                  {"body.0.shape.cells=[10,10,1]", "body.0.damping.ether=3", "body.0.material.young=1e5",
                   method, format("solver.iterations={}", iterations)})
                .lowest();
  };
  const std::string pbd = "time.scheme=pbd", ours = "solver.method=local-global";
  const double of_pbd = hung(pbd, 10) - hung(pbd, 40), of_ours = hung(ours, 10) - hung(ours, 40);
  EXPECT_GT(of_pbd, 0.01);
  EXPECT_LT(std::abs(of_ours), 0.2 * of_pbd);
}

TEST(Curtain, LocalGlobalConvergesMoreSlowlyWhereItIsStiffer) {
  const auto error = [](double young) {
    const Scene read =
        scene("curtain", {"body.0.shape.cells=[12,12,1]", format("body.0.material.young={}", young)});
    const Simulation simulation = build(read);
    const Stage stage = simulation.scheme->first_stage(simulation.state, 1 / simulation.frame_rate);
    return error_after(simulation, stage, {.method = "local-global"}, 20);
  };
  EXPECT_GT(error(1e6), 2 * error(1e4));
}

TEST(Curtain, LocalGlobalConvergesAboutAsFastOnAFinerMesh) {
  const auto error = [](int cells) {
    const Simulation simulation =
        build(scene("curtain", {format("body.0.shape.cells=[{},{},1]", cells, cells)}));
    const Stage stage = simulation.scheme->first_stage(simulation.state, 1 / simulation.frame_rate);
    return error_after(simulation, stage, {.method = "local-global"}, 20);
  };
  const double coarse = error(10), fine = error(30);
  EXPECT_GT(coarse, 1e-3) << "there is something to compare";
  EXPECT_LT(fine, 3 * coarse);
  EXPECT_GT(fine, coarse / 3);
}

TEST(VolumeWeights, KeepTheVolumeOfABarThatIsPulled) {
  std::vector<std::string> coarse;
  for (int i = 0; i < 6; ++i) coarse.push_back(format("body.{}.shape.cells=[3,10,3]", i));
  const After after("volume-weights", 1.1, coarse);
  EXPECT_EQ(after.failed, 0);
  const auto change = [&](size_t body) { return std::abs(after.volume(body) - 1); };
  // The first three resist changes of shape more and more, so that the same resistance to changes of volume
  // counts less, until it hardly counts any more; the others resist those more and more.
  EXPECT_GT(change(1), 1.5 * change(0));
  EXPECT_GT(change(2), 1.5 * change(0));
  EXPECT_GT(change(3), 0.2) << "nothing keeps it";
  EXPECT_LT(change(4), 0.5 * change(3));
  EXPECT_LT(change(5), 0.5 * change(4));
}

TEST(StrainLimits, AreAsFarAsClothStretches) {
  std::vector<std::string> coarse;
  for (int i = 0; i < 3; ++i) coarse.push_back(format("body.{}.shape.cells=[10,10,1]", i));
  const After after("strain-limit", 1, coarse);
  EXPECT_EQ(after.failed, 0);
  EXPECT_LT(after.lowest(1), after.lowest(0));
  EXPECT_LT(after.lowest(2), after.lowest(1));
  // Beyond a limit the cloth resists, it does not stop: where it hangs from its corners it is a little
  // longer.
  for (size_t body = 0; body < 3; ++body) {
    const double limit = 1.1 + 0.1 * static_cast<double>(body), longest = after.longest_stretch(body);
    EXPECT_GT(longest, limit - 0.01) << body;
    EXPECT_LT(longest, limit + 0.05) << body;
  }
}

TEST(Hippo, FindsBackFromRandomPlaces) {
  // An element that is caught inside out by its neighbours stays so, and elements that go round an edge twice
  // stay so without any of them inside out; the last bit decides about it.
  int found = 0;
  for (int seed = 0; seed < 6; ++seed) {
    const After after("hippo", 2,
                      {"body.0.shape.cell=0.1", "solver.iterations=100", format("seed={}", seed)});
    EXPECT_EQ(after.failed, 0) << seed;
    EXPECT_LT(after.elastic, 0.05 * after.first_elastic) << seed;
    const bool rests = after.elastic < 1e-5 * after.first_elastic;
    if (!rests) continue;
    EXPECT_EQ(after.simulation.model->inverted_elements(after.x()), 0) << seed;
    ++found;
  }
  EXPECT_GE(found, 3);
}

/// The step of a scene that follows so many others, as a problem for solvers.
struct Later {
  Simulation simulation;
  Stage stage;

  explicit Later(const Scene& scene, int steps = 20) : simulation(build(scene)) {
    const double dt = 1 / simulation.frame_rate;
    for (int i = 0; i < steps; ++i) {
      simulation.scheme->step(simulation.state, dt);
      simulation.state.time = (i + 1) * dt;
    }
    stage = simulation.scheme->first_stage(simulation.state, dt);
  }

  double error(const SolverOptions& options, int iterations) const {
    return error_after(simulation, stage, options, iterations);
  }
};

Scene small_bar() { return scene("twisting-bar", {"body.0.shape.cells=[20,5,5]"}); }

SolverOptions lbfgs(InitialHessian initial = InitialHessian::projective, int window = 5) {
  SolverOptions options{.method = "lbfgs"};
  options.lbfgs.initial = initial;
  options.lbfgs.window = window;
  return options;
}

TEST(TwistingBar, TenIterationsGetFarByWindowAndMatrix) {
  const Later bar(small_bar());
  const double ours = bar.error(lbfgs(), 10);
  EXPECT_LT(ours, 1e-3);
  EXPECT_LT(ours, 0.5 * bar.error(lbfgs(InitialHessian::projective, 0), 10)) << "the window helps";
  EXPECT_LT(ours, 0.5 * bar.error(lbfgs(InitialHessian::identity), 10)) << "and so does the matrix";
}

TEST(TwistingBar, NeedsTheFewerIterationsTheCloserTheMatrixIsToTheHessian) {
  const Later bar(small_bar());
  // From the best to the worst, as in figure 7.3 by iterations.
  const std::vector<InitialHessian> best_first = {InitialHessian::start, InitialHessian::warped,
                                                  InitialHessian::projective};
  for (size_t i = 0; i + 1 < best_first.size(); ++i)
    EXPECT_LT(bar.error(lbfgs(best_first[i]), 1), 0.1 * bar.error(lbfgs(best_first[i + 1]), 1)) << i;
  const double ours = bar.error(lbfgs(), 10), rest = bar.error(lbfgs(InitialHessian::rest), 10);
  EXPECT_LT(bar.error(lbfgs(InitialHessian::warped), 10), 1e-3 * ours);
  EXPECT_LT(ours, 0.5 * rest) << "the Hessian at rest does not turn with the bar";
  EXPECT_LT(rest, 0.5 * bar.error(lbfgs(InitialHessian::identity), 10));
}

TEST(TwistingBar, GainsLittleByAWindowOfMoreThanFive) {
  const Later bar(small_bar());
  const double ours = bar.error(lbfgs(), 10);
  for (const int window : {8, 20, 100})
    EXPECT_LT(ours, 1.5 * bar.error(lbfgs(InitialHessian::projective, window), 10)) << window;
  EXPECT_LT(ours, 0.7 * bar.error(lbfgs(InitialHessian::projective, 1), 10)) << "one of 1 is too short";
}

TEST(TwistingBar, ConvergesFasterWithAnIntervalCloseToItsStretches) {
  const Later bar(small_bar());
  const auto error = [&](double first, double last) {
    SolverOptions options = lbfgs();
    options.lbfgs.range = {first, last};
    return bar.error(options, 10);
  };
  const double narrow = error(0.9, 1.1), usual = error(0.5, 1.5), wide = error(0.3, 1.7);
  EXPECT_LT(narrow, 0.7 * usual);
  EXPECT_LT(usual, 0.7 * wide);
}

TEST(TwistingBar, GetsAsFarByFifteenConjugateGradientIterationsAsByAFactor) {
  const Later bar(small_bar());
  SolverOptions by_cg = lbfgs();
  by_cg.cg_iterations = 15;
  const double factor = bar.error(lbfgs(), 10), iterated = bar.error(by_cg, 10);
  EXPECT_LT(factor, 1.2 * iterated);
  EXPECT_LT(iterated, 1.2 * factor);
}

TEST(Curtain, LocalGlobalIsQuickAtFirstAndNewtonAtTheEnd) {
  const Later curtain(scene("curtain", {"body.0.shape.cells=[12,12,1]"}));
  const auto error = [&](const std::string& method, int iterations) {
    return curtain.error({.method = method}, iterations);
  };
  const double first = error("local-global", 1), tenth = error("local-global", 10);
  EXPECT_LT(first, 0.5);
  EXPECT_LT(first - tenth, 1 - first) << "nine more gain less than the first";
  EXPECT_GT(tenth, 0.01);
  // An iteration of Newton's method is worth more than one of ours from the beginning; what speaks for ours
  // is what one costs.
  EXPECT_LT(error("newton-cholesky", 1), first);
  EXPECT_LT(error("newton-cholesky", 10), 1e-9);
}

TEST(Materials, AreAllSolvedByTenIterations) {
  // The bar of the scene above, in all models that figure 7.1 shows, five times as stiff.
  constexpr double kStiffer = 5;
  const std::vector<BodyKeys> shown = scene("materials", {}).keys.bodies;
  ASSERT_EQ(shown.size(), 6u);
  for (const BodyKeys& body : shown) {
    Scene bar = small_bar();
    MaterialKeys& material = bar.keys.bodies[0].material;
    const double density = material.density;
    material = body.material;
    material.density = density;
    material.young *= kStiffer;
    for (Parameters& own : material.own)
      if (own.of_one_kind_with(SplineParameters()) && own.as<SplineParameters>().points) {
        SplinePoints& spline = *own.as<SplineParameters>().points;
        for (std::vector<double>* points : {&spline.a, &spline.b, &spline.c})
          for (size_t i = 1; i < points->size(); i += 2) (*points)[i] *= kStiffer;
      }
    const Later twisted(bar);
    const double ten = twisted.error(lbfgs(), 10);
    const double one = twisted.error({.method = "newton-cholesky"}, 1);
    EXPECT_LT(ten, 2e-3) << body.name;
    // The thesis finds them more accurate than one of Newton's in all materials; in small that is so in four.
    if (body.name != "neo-hookean" && body.name != "polynomial") {
      EXPECT_LT(ten, one) << body.name;
    }
  }
}

/// What a run that is stopped and goes on after each step would give.
TEST(InteractiveScenes, DependOnTheStateAlone) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> small = {
      {"skirt", {"body.0.shape.cells=[10,1,1]", "contact.thin_distance=0.03"}},
      {"fibre", {"body.0.shape.cells=[3,3,3]", "body.1.shape.cells=[3,3,3]"}},
      {"fibre",
       {"body.0.shape.cells=[3,3,3]", "body.1.shape.cells=[3,3,3]", "solver.method=newton-cholesky",
        "solver.iterations=0"}},
      {"curtain", {"body.0.shape.cells=[8,8,1]"}},
      {"squeeze-through-torus", {"body.0.shape.cell=0.1", "solver.lbfgs.initial=start"}}};
  for (const auto& [name, changes] : small) {
    const Scene read = scene(name, changes);
    Simulation at_once = build(read);
    State resumed = at_once.state;
    const double dt = 1 / at_once.frame_rate;
    for (int i = 0; i < 24; ++i) {
      at_once.scheme->step(at_once.state, dt);
      Simulation again = build(read);
      again.scheme->step(resumed, dt);
      at_once.state.time = resumed.time = (i + 1) * dt;
      ASSERT_EQ(at_once.state.x, resumed.x) << name << ", step " << i + 1;
      ASSERT_EQ(at_once.state.v, resumed.v) << name << ", step " << i + 1;
    }
  }
}

TEST(Fibres, KeepACubeUpright) {
  const auto lowest_top = [](size_t body) {
    Simulation simulation =
        build(scene("fibre", {"body.0.shape.cells=[5,5,5]", "body.1.shape.cells=[5,5,5]"}));
    double low = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 30; ++i) {
      simulation.scheme->step(simulation.state, 1 / simulation.frame_rate);
      const Body& of = simulation.model->bodies[body];
      double top = -1;
      for (size_t k = 0; k < of.rest.vertices.size(); ++k)
        top = std::max(top, simulation.state.x[3 * (of.first_vertex + static_cast<Index>(k)) + 1]);
      low = std::min(low, top);
    }
    return low;
  };
  EXPECT_GT(lowest_top(1), lowest_top(0) + 0.03);
}

TEST(Ring, LetsTheTeddyThroughWithoutLettingItIn) {
  const After after("squeeze-through-torus", 5, {"body.0.shape.cell=0.08"});
  EXPECT_EQ(after.failed, 0);
  EXPECT_GT(after.lowest(), 0.75) << "all of it is above the middle of the ring";
  EXPECT_GT(after.smallest_gap, -0.042) << "springs give way: four tenths of the radius of the wire";
}

TEST(Brush, BendsOverTheBallWithoutStretching) {
  std::vector<std::string> coarse = {"contact.thin_distance=0.016"};
  for (int i = 0; i < 144; ++i) coarse.push_back(format("body.{}.shape.cells=[10,1,1]", i));
  const After after("brush", 1, coarse);
  EXPECT_EQ(after.failed, 0);
  EXPECT_GT(after.smallest_gap, -0.02) << "a sixth of the ball";
  double most = 0, lowest = 0, highest = -1;
  for (size_t body = 0; body < 144; ++body) {
    most = std::max(most, after.longest_stretch(body));
    lowest = std::min(lowest, after.lowest(body));
    highest = std::max(highest, after.lowest(body));
  }
  EXPECT_LT(most, 1.1);
  EXPECT_LT(lowest, -0.19) << "some hang straight down";
  EXPECT_GT(highest, -0.18) << "and others lie on the ball";
}

TEST(Skirt, FollowsTheDancer) {
  const After after("skirt", 2, {"body.0.shape.cells=[16,1,1]", "contact.thin_distance=0.02"});
  EXPECT_EQ(after.failed, 0);
  EXPECT_LT(after.longest_stretch(0), 1.5);
  EXPECT_GT(after.lowest(), -0.65);
  EXPECT_GT(after.smallest_gap, -0.04);
}

TEST(FlagTear, ComesOffItsTiesAndNotOffItsPole) {
  const std::vector<std::string> coarse = {"body.0.shape.cells=[24,16,1]"};
  const After whole("flag-tear", 0, coarse), torn("flag-tear", 0.5, coarse);
  EXPECT_EQ(torn.failed, 0);
  const auto triangles = [](const After& flag) {
    return flag.simulation.model->bodies[0].rest.triangles.size();
  };
  EXPECT_LT(triangles(torn), triangles(whole));
  EXPECT_GT(triangles(torn), triangles(whole) * 9 / 10);
  // How far the middle of the right side is from where it was tied.
  const auto right = [](const After& flag) {
    double most = -1;
    for (Index i = 0; i < flag.x().size(); i += 3)
      if (std::abs(flag.x()[i + 1]) < 0.2) most = std::max(most, flag.x()[i]);
    return most;
  };
  EXPECT_LT(right(torn), right(whole) - 0.3);
  EXPECT_EQ(torn.simulation.model->scripts[0].vertices.size(),
            whole.simulation.model->scripts[0].vertices.size());
}

}  // namespace
}  // namespace pliant::interactive_test
