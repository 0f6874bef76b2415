// What the gallery's collision experiments must show, in small.
#include <Eigen/SVD>
#include <algorithm>

#include "pliant/base/text.hpp"
#include "pliant/contact/obstacle.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant::collisions_test {
namespace {

/// A scene of the collision experiments with coarser meshes, all of it.
struct Film {
  Simulation simulation;
  int steps = 0, converged = 0;
  double smallest_gap = std::numeric_limits<double>::infinity();  ///< of any step, m
  double overlap = 0, last_overlap = 0;                           ///< of any step and of the last one, m
  Index inverted = 0;                                             ///< elements, in any step
  Index contacts = 0;

  Film(const std::string& scene, double cell, int bodies = 1)
      : Film(build(read(scene, every(bodies, format("shape.cell={}", cell))))) {}

  explicit Film(Simulation built) : simulation(std::move(built)) {
    const double dt = 1 / (simulation.frame_rate * simulation.steps_per_frame);
    for (; steps < simulation.frames * simulation.steps_per_frame; ++steps) {
      const StepReport report = simulation.scheme->step(simulation.state, dt);
      converged += is_converged(report.outcome.status);
      smallest_gap = std::min(smallest_gap, report.contacts.smallest_gap);
      last_overlap = report.contacts.overlap;
      overlap = std::max(overlap, last_overlap);
      contacts += report.contacts.count;
      EXPECT_LE(report.contacts.friction_gain, 1e-13 * std::abs(report.energies.total()));
      inverted += simulation.model->inverted_elements(simulation.state.x);
    }
  }

  static std::vector<std::string> every(int bodies, const std::string& change) {
    std::vector<std::string> overrides;
    for (int i = 0; i < bodies; ++i) overrides.push_back(format("body.{}.{}", i, change));
    return overrides;
  }
  static Scene read(const std::string& scene, const std::vector<std::string>& overrides) {
    return read_scene(format("{}/scenes/gast-2015/{}.toml", PLIANT_SOURCE_DIR, scene), overrides);
  }

  Index inverted_now() const { return simulation.model->inverted_elements(simulation.state.x); }

  double highest() const {
    double y = -std::numeric_limits<double>::infinity();
    for (Index i = 1; i < simulation.state.x.size(); i += 3) y = std::max(y, simulation.state.x[i]);
    return y;
  }

  /// Root mean square distance of the vertices from the rest shape where it fits best, m.
  double deformation() const {
    const auto& rest = simulation.model->bodies[0].rest.vertices;
    const Eigen::Map<const Eigen::Matrix3Xd> x(simulation.state.x.data(), 3, std::ssize(rest));
    Eigen::Matrix3Xd X(3, std::ssize(rest));
    for (Index i = 0; i < X.cols(); ++i) X.col(i) = rest[i];
    const Vec3 x_middle = x.rowwise().mean(), X_middle = X.rowwise().mean();
    const Mat3 covariance = (x.colwise() - x_middle) * (X.colwise() - X_middle).transpose();
    const Eigen::JacobiSVD<Mat3> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const double flip = (svd.matrixU() * svd.matrixV().transpose()).determinant();
    const Mat3 R = svd.matrixU() * Vec3(1, 1, flip).asDiagonal() * svd.matrixV().transpose();
    const Eigen::Matrix3Xd off = (x.colwise() - x_middle) - R * (X.colwise() - X_middle);
    return std::sqrt(off.squaredNorm() / static_cast<double>(X.cols()));
  }
};

TEST(TwoSpheres, ConvergeInEveryStepWithoutInversion) {
  const Film film("two-spheres", 0.2, 2);
  EXPECT_EQ(film.converged, film.steps);
  EXPECT_GT(film.contacts, 100);
  EXPECT_EQ(film.inverted, 0);
}

TEST(TorusDrop, HardlyEntersItselfWhenItRests) {
  const Film film("torus-drop", 0.13);
  EXPECT_EQ(film.converged, film.steps);
  EXPECT_GT(film.overlap, 1e-4) << "its hole closes in the fall";
  EXPECT_LT(film.last_overlap, 0.004);
  EXPECT_EQ(film.inverted, 0);
}

TEST(SphereDrop, OntoAConstraintNeitherEntersTheGroundNorInverts) {
  const Film film("sphere-drop", 0.2);
  EXPECT_EQ(film.converged, film.steps);
  EXPECT_GT(film.contacts, 100);
  EXPECT_GE(film.smallest_gap, -1e-9);
  EXPECT_EQ(film.inverted, 0);
}

TEST(SphereDrop, OntoAPenaltyEntersTheGroundALittleAndDoesNotInvert) {
  const Film film("sphere-drop-penalty", 0.2);
  EXPECT_EQ(film.converged, film.steps);
  EXPECT_LT(film.smallest_gap, 0);
  EXPECT_GT(film.smallest_gap, -0.2);
  EXPECT_EQ(film.inverted, 0);
}

TEST(SphereDrop, ByPostProcessingInverts) {
  const Film film("sphere-drop-post-process", 0.2);
  EXPECT_GT(film.inverted, 0);
}

TEST(TorusHole, LetsTheRingThroughAndNothingIntoThePlate) {
  const Film film("torus-hole", 0.13);
  EXPECT_EQ(film.converged, film.steps);
  EXPECT_GE(film.smallest_gap, -1e-9);
  EXPECT_LT(film.highest(), -0.5) << "all of it is below the plate";
  EXPECT_EQ(film.inverted_now(), 0);
}

TEST(Squeeze, LeavesTheCreatureAsItWas) {
  const Film film("squeeze", 0.05);
  ASSERT_EQ(film.simulation.model->components().size(), 1) << "coarser meshes of the creature fall apart";
  EXPECT_EQ(film.converged, film.steps);
  EXPECT_GT(film.contacts, 100);
  EXPECT_GE(film.smallest_gap, -1e-9);
  EXPECT_EQ(film.inverted_now(), 0);
  EXPECT_LT(film.deformation(), 5e-3);
}

TEST(BoxStack, TumblesWithoutEnteringTheCubeOrTheFloor) {
  const Film film(build(Film::read("box-stack", Film::every(21, "shape.cells=[4, 4, 4]"))));
  EXPECT_EQ(film.converged, film.steps);
  EXPECT_GE(film.smallest_gap, -1e-9);
  EXPECT_GT(film.overlap, 0) << "boxes touch";
  EXPECT_LT(film.overlap, 0.1) << "and hardly enter each other";
  EXPECT_EQ(film.inverted_now(), 0);
  EXPECT_LT(film.highest(), 2.5) << "the stack of 3 m has fallen";
}

/// Some rings of the lowest layer, which slide down from the border and meet in the middle.
TEST(ToriBowl, ComeToRestInsideOfTheBowl) {
  constexpr size_t kRings = 10;
  Scene scene = Film::read("tori-bowl", Film::every(125, "shape.cell=0.2"));
  scene.bodies.resize(kRings);
  scene.keys.bodies.resize(kRings);
  scene.keys.duration = 6;
  const Film film(build(scene));
  EXPECT_EQ(film.converged, film.steps);
  EXPECT_LT(film.smallest_gap, 0) << "the bowl is a penalty";
  EXPECT_GT(film.smallest_gap, -0.1);
  EXPECT_LT(film.overlap, 0.1);
  EXPECT_EQ(film.inverted_now(), 0);
  for (Index i = 0; i < film.simulation.state.x.size(); i += 3) {
    const Vec3 from_centre = film.simulation.state.x.segment<3>(i) - Vec3(0, 5.7, 0);
    EXPECT_LT(from_centre.norm(), 5.7 - 0.6 + 0.1) << "within the hollow";
    EXPECT_LT(from_centre.y(), 0) << "below the rim";
  }
  EXPECT_LT(film.simulation.state.v.norm() / std::sqrt(film.simulation.state.v.size() / 3.0), 0.3);
}

}  // namespace
}  // namespace pliant::collisions_test
