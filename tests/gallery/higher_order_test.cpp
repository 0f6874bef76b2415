// What the experiments after Loschner et al. 2020 must show, in small.
#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant {
namespace {

/// A scene of these experiments, changed, some of it.
struct Experiment {
  Simulation simulation;
  int steps = 0, converged = 0, iterations = 0;
  double start = 0, end = 0, most = 0;  ///< total energy: before, after, and the largest in between, J
  double overlap = 0;                   ///< largest of any step, m
  double smallest_gap = std::numeric_limits<double>::infinity();
  double wobble = 0;  ///< largest kinetic energy in the last third, J

  Experiment(const std::string& scene, double duration, const std::vector<std::string>& changes)
      : Experiment(
            build(read_scene(format("{}/scenes/loschner-2020/{}.toml", PLIANT_SOURCE_DIR, scene), changes)),
            duration) {}

  Experiment(Simulation built, double duration) : simulation(std::move(built)) {
    const double dt = 1 / (simulation.frame_rate * simulation.steps_per_frame);
    const int count = static_cast<int>(std::lround(duration / dt));
    for (; steps < count; ++steps) {
      const StepReport report = simulation.scheme->step(simulation.state, dt);
      converged += is_converged(report.outcome.status);
      iterations += report.outcome.iterations;
      end = report.energies.total();
      if (steps == 0) start = end;
      most = std::max(steps == 0 ? end : most, end);
      overlap = std::max(overlap, report.contacts.overlap);
      smallest_gap = std::min(smallest_gap, report.contacts.smallest_gap);
      if (3 * steps > 2 * count) wobble = std::max(wobble, report.energies.kinetic);
    }
  }

  Index inverted() const { return simulation.model->inverted_elements(simulation.state.x); }
};

TEST(Beam, BackwardEulerLosesFarMoreEnergyThanTheOthers) {
  const auto lost = [](const std::string& scheme) {
    const Experiment run("beam", 2, {"time.scheme=" + scheme, "body.0.shape.cells=[16,2,2]"});
    EXPECT_EQ(run.converged, run.steps) << scheme;
    return std::abs(run.start - run.end);
  };
  const double euler = lost("backward-euler");
  for (const char* scheme : {"sdirk2", "tr-bdf2-b"}) EXPECT_LT(20 * lost(scheme), euler) << scheme;
  for (const char* scheme : {"sdirk3", "sdirk-ncs23", "sdirk-nc34", "sdirk-3345", "sdirk-4347", "ros3pl"})
    EXPECT_LT(3 * lost(scheme), euler) << scheme;
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

TEST(ClothInTheWind, MovesMoreWithSdirk2AndLessWithDamping) {
  const std::string coarse = "body.0.shape.cells=[16,16,1]";
  const Experiment euler("cloth-wind", 1, {"time.scheme=backward-euler", coarse}),
      sdirk2("cloth-wind", 1, {coarse}), damped("cloth-wind", 1, {coarse, "body.0.damping.stiffness=2e-2"});
  for (const Experiment* run : {&euler, &sdirk2, &damped}) EXPECT_EQ(run->converged, run->steps);
  EXPECT_GT(sdirk2.wobble, euler.wobble);
  EXPECT_LT(damped.wobble, sdirk2.wobble);
}

TEST(ExtremeDeformation, IsUndoneByMinimisationAndNotByRootFinding) {
  const Experiment ours("extreme", 0.3, {"body.0.shape.cell=0.1"});
  EXPECT_EQ(ours.converged, ours.steps);
  EXPECT_EQ(ours.inverted(), 0);
  const Experiment root_finding(
      "extreme", 0.01,
      {"body.0.shape.cell=0.1", "solver.method=newton-residual", "solver.max_iterations=50"});
  EXPECT_LT(root_finding.converged, root_finding.steps);
  EXPECT_GT(root_finding.inverted(), 0);
}

TEST(ExtremeDeformation, WithFixedRotationsNeedsDampingAboveFirstOrder) {
  const auto stable = [](const std::string& scheme, const std::string& damping) {
    const Experiment run("extreme", 1,
                         {"body.0.shape.cell=0.1", "body.0.material.model=lagged-corotated",
                          "time.scheme=" + scheme, "body.0.damping.stiffness=" + damping});
    return run.converged == run.steps && run.end < run.start;
  };
  EXPECT_TRUE(stable("backward-euler", "0"));
  EXPECT_FALSE(stable("sdirk-4347", "0"));
  for (const char* scheme : {"backward-euler", "ros3pl", "sdirk-4347", "sdirk2"})
    EXPECT_TRUE(stable(scheme, "1e-3")) << scheme;
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
}  // namespace pliant
