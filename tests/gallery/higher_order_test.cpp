// What the experiments after Loschner et al. 2020 must show, in small.
#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/integrate/account.hpp"
#include "pliant/scene/scene.hpp"
#include "test_names.hpp"

namespace pliant::higher_order_test {
namespace {

/// A scene of these experiments, changed, some of it.
struct Experiment {
  Simulation simulation;
  int steps = 0, converged = 0, iterations = 0;
  double start = 0, end = 0, most = 0;  ///< total energy: before, after, and the largest in between, J
  double overlap = 0;                   ///< largest of any step, m
  double smallest_gap = std::numeric_limits<double>::infinity();
  double wobble = 0;   ///< largest kinetic energy in the last third, J
  double kinetic = 0;  ///< mean of the second half, J
  double off = 0;      ///< by how much the total energy differed from that of the start in the second half, J

  Experiment(const std::string& scene, double duration, const std::vector<std::string>& changes)
      : Experiment(
            build(read_scene(format("{}/scenes/loschner-2020/{}.toml", PLIANT_SOURCE_DIR, scene), changes)),
            duration) {}

  Experiment(Simulation built, double duration) : simulation(std::move(built)) {
    const double dt = 1 / (simulation.frame_rate * simulation.steps_per_frame);
    const int count = static_cast<int>(std::lround(duration / dt));
    start = most = energies_of(*simulation.model, simulation.state).total();
    for (; steps < count; ++steps) {
      const StepReport report = simulation.scheme->step(simulation.state, dt);
      converged += is_converged(report.outcome.status);
      iterations += report.outcome.iterations;
      end = report.energies.total();
      most = std::max(most, end);
      overlap = std::max(overlap, report.contacts.overlap);
      smallest_gap = std::min(smallest_gap, report.contacts.smallest_gap);
      if (3 * steps > 2 * count) wobble = std::max(wobble, report.energies.kinetic);
      if (2 * steps >= count) kinetic += report.energies.kinetic / (count - count / 2);
      if (2 * steps >= count) off = std::max(off, std::abs(end - start));
    }
  }

  Index inverted() const { return simulation.model->inverted_elements(simulation.state.x); }
};

/// What a scheme promises for the energy of the beam, and by how many times backward Euler's error is larger.
struct OnTheBeam {
  const char* scheme;
  int order;
  double at_33_ms;
};

class Beam : public ::testing::TestWithParam<OnTheBeam> {
 protected:
  /// Of the scheme's energy after so many seconds, J.
  static double error(const std::string& scheme, double duration, std::vector<std::string> changes,
                      const std::string& scene = "beam") {
    changes.push_back("time.scheme=" + scheme);
    const Experiment run(scene, duration, changes);
    EXPECT_EQ(run.converged, run.steps) << scheme;
    return run.off;
  }
};

INSTANTIATE_TEST_SUITE_P(Schemes, Beam,
                         ::testing::Values(OnTheBeam{"sdirk2", 2, 30}, OnTheBeam{"tr-bdf2-b", 2, 30},
                                           OnTheBeam{"sdirk3", 3, 10}, OnTheBeam{"sdirk-4347", 3, 10},
                                           OnTheBeam{"sdirk-nc34", 4, 10}, OnTheBeam{"sdirk-3345", 3, 10},
                                           OnTheBeam{"sdirk-ncs23", 3, 5}, OnTheBeam{"ros3pl", 3, 5}),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param.scheme); });

TEST_P(Beam, KeepsFarMoreEnergyThanWithBackwardEulerInStepsOf33Milliseconds) {
  const std::vector<std::string> coarse = {"body.0.shape.cells=[16,2,2]"};
  EXPECT_LT(GetParam().at_33_ms * error(GetParam().scheme, 2, coarse), error("backward-euler", 2, coarse));
}

TEST_P(Beam, KeepsAHundredTimesMoreEnergyThanWithBackwardEulerInStepsOf5Milliseconds) {
  const std::vector<std::string> coarse = {"body.0.shape.cells=[16,2,2]", "frame_rate=10",
                                           "time.steps_per_frame=20"};
  EXPECT_LT(100 * error(GetParam().scheme, 2, coarse), error("backward-euler", 2, coarse));
}

TEST_P(Beam, ErrsAsItsOrderSaysInStepsOfAFewMilliseconds) {
  // Where a scheme has a higher order for linear problems, that is what shows.
  const auto error_in = [](int per_frame) {
    return error(GetParam().scheme, 1,
                 {"body.0.shape.cells=[8,1,1]", format("time.steps_per_frame={}", per_frame)}, "beam-orders");
  };
  EXPECT_GT(std::log2(error_in(25) / error_in(50)), GetParam().order - 0.2);
}

TEST_P(Beam, ErrsLessAndLessDownToTheToleranceOfItsStages) {
  // No curve levels out before, whatever the mesh.
  const auto error_in = [](int per_frame) {
    return error(GetParam().scheme, 0.5,
                 {"body.0.shape.cells=[8,1,1]", "solver.tolerance=1e-13",
                  format("time.steps_per_frame={}", per_frame)},
                 "beam-orders");
  };
  EXPECT_GT(std::log2(error_in(400) / error_in(800)), GetParam().order - 0.2);
}

class BeamOf33Milliseconds : public ::testing::Test {
 protected:
  static double error(const std::string& scheme) {
    const Experiment run("beam", 4, {"body.0.shape.cells=[16,2,2]", "time.scheme=" + scheme});
    EXPECT_EQ(run.converged, run.steps) << scheme;
    return run.off;
  }
};

TEST_F(BeamOf33Milliseconds, ErrsLeastOfThePapersSchemesWithSdirk2AndTrBdf2) {
  const double best = std::max(error("sdirk2"), error("tr-bdf2-b"));
  for (const char* other : {"sdirk3", "sdirk-ncs23", "sdirk-nc34", "sdirk-3345", "sdirk-4347", "ros3pl"})
    EXPECT_LT(best, error(other)) << other;
}

TEST_F(BeamOf33Milliseconds, ErrsLessWithGeneralizedAlphaAndEvenLessWithSixStages) {
  const double sdirk2 = error("sdirk2"), alpha = error("generalized-alpha"), six = error("esdirk-436");
  EXPECT_LT(alpha, 0.6 * sdirk2);
  EXPECT_LT(six, 0.2 * sdirk2);
}

TEST(BeamWithBackwardEuler, ErrsWithTheFirstPowerOfTheStep) {
  const auto error_in = [](const char* per_frame) {
    return Experiment("beam-orders", 1,
                      {"body.0.shape.cells=[8,1,1]", "time.scheme=backward-euler", per_frame})
        .off;
  };
  EXPECT_NEAR(std::log2(error_in("time.steps_per_frame=100") / error_in("time.steps_per_frame=200")), 1,
              0.15);
}

TEST(Jello, WobblesOnWhereBackwardEulerStandsStill) {
  const auto wobble = [](const std::string& scheme) {
    const Experiment run("jello", 3, {"time.scheme=" + scheme, "body.0.shape.cell=0.2"});
    EXPECT_EQ(run.converged, run.steps) << scheme;
    return run.wobble;
  };
  const double euler = wobble("backward-euler");
  EXPECT_GT(wobble("sdirk2"), 5 * euler);
  EXPECT_GT(wobble("tr-bdf2-b"), 5 * euler);
}

TEST(Jello, SwingsWithBackwardEulerAsWithSdirk2WhereStepsAreFiftyTimesShorter) {
  const auto wobble = [](const std::string& scheme, int per_frame) {
    const Experiment run(
        "jello", 0.6,
        {"time.scheme=" + scheme, "body.0.shape.cell=0.3", format("time.steps_per_frame={}", per_frame)});
    EXPECT_EQ(run.converged, run.steps) << scheme;
    return run.wobble;
  };
  const double sdirk2 = wobble("sdirk2", 8);
  EXPECT_LT(wobble("backward-euler", 8), 0.3 * sdirk2);
  EXPECT_LT(wobble("backward-euler", 80), 0.9 * sdirk2);
  EXPECT_NEAR(wobble("backward-euler", 400), sdirk2, 0.05 * sdirk2);
}

const std::string kCoarseCloth = "body.0.shape.cells=[12,12,1]";

TEST(ClothInTheWind, MovesMoreWithSdirk2ThanWithBackwardEuler) {
  const Experiment euler("cloth-wind", 1, {"time.scheme=backward-euler", kCoarseCloth}),
      sdirk2("cloth-wind", 1, {kCoarseCloth});
  for (const Experiment* run : {&euler, &sdirk2}) EXPECT_EQ(run->converged, run->steps);
  EXPECT_GT(sdirk2.kinetic, 1.05 * euler.kinetic);
}

TEST(ClothInTheWind, MovesAsMuchWithOtherHigherSchemesAndWithBackwardEulerInShortSteps) {
  const auto kinetic = [](const std::string& scheme, int per_frame) {
    const Experiment run(
        "cloth-wind", 1,
        {"time.scheme=" + scheme, kCoarseCloth, format("time.steps_per_frame={}", per_frame)});
    EXPECT_EQ(run.converged, run.steps) << scheme;
    return run.kinetic;
  };
  const double sdirk2 = kinetic("sdirk2", 8);
  for (const std::string other : {"tr-bdf2-b", "sdirk-4347"})
    EXPECT_NEAR(kinetic(other, 8), sdirk2, 0.02 * sdirk2) << other;
  EXPECT_NEAR(kinetic("backward-euler", 160), sdirk2, 0.03 * sdirk2);
}

TEST(ClothInTheWind, TakesFewerIterationsWithTheDampingOfThePaperAndMovesAlike) {
  const Experiment sdirk2("cloth-wind", 1, {kCoarseCloth}),
      damped("cloth-wind", 1, {kCoarseCloth, "body.0.damping.stiffness=2e-4"});
  for (const Experiment* run : {&damped, &sdirk2}) EXPECT_EQ(run->converged, run->steps);
  EXPECT_LT(damped.iterations, 0.95 * sdirk2.iterations);
  EXPECT_NEAR(damped.kinetic, sdirk2.kinetic, 0.01 * sdirk2.kinetic);
}

TEST(ExtremeDeformation, IsUndoneByMinimisationWhereRootFindingWithAsManyIterationsSticks) {
  const Experiment ours("extreme", 0.3, {"body.0.shape.cell=0.1"});
  EXPECT_EQ(ours.converged, ours.steps);
  EXPECT_EQ(ours.inverted(), 0);
  // No step along Newton's direction makes the residual smaller any more, long before the iterations are up.
  for (const char* scheme : {"time.scheme=backward-euler", "time.scheme=sdirk2"}) {
    const Experiment root_finding("extreme", 0.005,
                                  {"body.0.shape.cell=0.1", "solver.method=newton-residual", scheme});
    EXPECT_EQ(root_finding.converged, 0) << scheme;
    EXPECT_LT(root_finding.iterations, 1000) << scheme;
    EXPECT_GT(root_finding.inverted(), 0) << scheme;
  }
}

class FixedRotations : public ::testing::Test {
 protected:
  /// Whether the creature has lost most of its energy after some time, s.
  static bool recovers(const std::string& scheme, const std::string& damping, double duration) {
    const Experiment run = after(scheme, damping, duration);
    return run.converged == run.steps && run.end < 0.01 * run.start;
  }
  static Experiment after(const std::string& scheme, const std::string& damping, double duration) {
    return {"extreme",
            duration,
            {"body.0.shape.cell=0.1", "body.0.material.model=lagged-corotated", "time.scheme=" + scheme,
             "body.0.damping.stiffness=" + damping}};
  }
};

TEST_F(FixedRotations, BlowUpUndampedWithTheSchemeThatLosesLeastOfFastMotion) {
  const Experiment run = after("sdirk-4347", "0", 1);
  EXPECT_GT(run.most, 100 * run.start);
}

TEST_F(FixedRotations, LetTheOthersRecoverUndampedForASecond) {
  for (const char* scheme : {"backward-euler", "ros3pl", "sdirk2"})
    EXPECT_TRUE(recovers(scheme, "0", 1)) << scheme;
}

TEST_F(FixedRotations, LetAllRecoverWithTheDampingOfThePaper) {
  for (const char* scheme : {"backward-euler", "ros3pl", "sdirk-4347", "sdirk2"})
    EXPECT_TRUE(recovers(scheme, "1e-3", 0.5)) << scheme;
}

TEST(Voxels, OfASphereFallFreelyAndRingWithoutTurningOver) {
  const std::string text = R"(
name = "Voxelised sphere"
duration = 1
[time]
scheme = "sdirk2"
[[body]]
shape = { kind = "sphere", radius = 0.5, cell = 0.25, elements = "hexahedra" }
material = { model = "stable-neo-hookean", young = 1e4, poisson = 0.4, density = 1000 }
start = { stretch = [1.2, 0.9, 1] }
)";
  const Experiment run(build(place_scene(parse_scene(text, "voxels.toml"), ".")), 0.25);
  EXPECT_EQ(run.converged, run.steps);
  EXPECT_EQ(run.inverted(), 0);
  const Model& model = *run.simulation.model;
  EXPECT_EQ(model.bodies[0].rest.hexes.size(), 32u);
  EXPECT_NEAR(model.mass.sum(), 1000 * 32 * std::pow(0.25, 3), 1e-9);
  double momentum = 0;
  for (Index i = 0; i < model.mass.size(); ++i) momentum += model.mass[i] * run.simulation.state.v[3 * i + 1];
  EXPECT_NEAR(momentum / model.mass.sum(), -9.81 * run.simulation.state.time, 1e-6);
  EXPECT_LT(run.end, run.start);
}

TEST(BouncingBall, LosesLessWithSdirk2AndWithShortSteps) {
  const auto lost = [](const std::string& scheme, int per_frame) {
    const Experiment run(
        "ball", 1.5,
        {"time.scheme=" + scheme, format("time.steps_per_frame={}", per_frame), "body.0.shape.cell=0.3"});
    EXPECT_EQ(run.converged, run.steps) << scheme;
    EXPECT_GT(run.smallest_gap, -1e-6);
    EXPECT_LT(run.most, run.start * (1 + 1e-6));
    return run.start - run.end;
  };
  const double sdirk2 = lost("sdirk2", 10), euler = lost("backward-euler", 10);
  EXPECT_LT(sdirk2, euler);
  EXPECT_LT(lost("sdirk2", 50), sdirk2);
}

TEST(SuspendedCreature, IsHitByBallsThatStayOutside) {
  std::vector<std::string> coarse = {"body.0.shape.cell=0.1"};
  for (int ball = 1; ball <= 5; ++ball) coarse.push_back(format("body.{}.shape.cell=0.12", ball));
  const Experiment run("suspended", 0.8, coarse);
  EXPECT_EQ(run.converged, run.steps);
  EXPECT_GT(run.overlap, 0);
  EXPECT_LT(run.overlap, 0.03);
  EXPECT_EQ(run.inverted(), 0);
}

TEST(Trampolines, CarryTheirDucks) {
  // The first pair of trampolines and the ducks that fall onto them first, as a scene of its own.
  const std::string text = read_file(format("{}/scenes/loschner-2020/trampolines.toml", PLIANT_SOURCE_DIR)),
                    mark = "[[body]]";
  std::string some;
  size_t from = 0;
  for (int number = 0; from < text.size(); ++number) {
    const size_t to = std::min(text.find(mark, from + mark.size()), text.size());
    if (number <= 2 || number == 11 || number == 13) some += text.substr(from, to - from);
    from = to;
  }
  const Experiment run(build(place_scene(parse_scene(some, "trampolines.toml"), ".")), 0.7);
  EXPECT_EQ(run.converged, run.steps);
  EXPECT_LT(run.overlap, 0.01);
  const Model& model = *run.simulation.model;
  ASSERT_EQ(model.bodies.size(), 4u);
  const auto places = [&](const Body& body) {
    return Eigen::Map<const Eigen::Matrix3Xd>(run.simulation.state.x.data() + 3 * Index{body.first_vertex}, 3,
                                              std::ssize(body.rest.vertices));
  };
  for (const size_t duck : {2u, 3u}) {
    const Vec3 center = places(model.bodies[duck]).rowwise().mean();
    const auto sheet = places(model.bodies[duck - 2]);
    Index nearest = 0;
    const double off = (sheet.colwise() - center)
                           .cwiseProduct(Vec3(1, 0, 1).replicate(1, sheet.cols()))
                           .colwise()
                           .norm()
                           .minCoeff(&nearest);
    EXPECT_LT(off, 0.1);
    EXPECT_GT(center.y(), sheet(1, nearest));
    EXPECT_LT(center.y(), sheet(1, nearest) + 0.4);
  }
}

}  // namespace
}  // namespace pliant::higher_order_test
