#include <mutex>
#include <numeric>

#include "derivative_checker.hpp"
#include "meshes.hpp"
#include "pliant/potential/attachment.hpp"
#include "pliant/potential/damping.hpp"
#include "pliant/potential/element_schedule.hpp"
#include "pliant/potential/gravity.hpp"
#include "pliant/potential/solid.hpp"
#include "pliant/potential/wind.hpp"

namespace pliant::terms_test {
namespace {

using testing::random_vector;

/// A term with the pattern it asks for, in a stage with something to move against.
struct InStage {
  TetMesh mesh = testing::cube(2);
  std::unique_ptr<Potential> solid = make_solid("fixed-corotated", mesh, 0, lame(1e3, 0.3));
  BlockPattern pattern;
  Stage stage;
  Vector x = testing::positions(mesh) + 0.1 * random_vector(size(), 1);

  InStage() {
    std::vector<std::pair<int, int>> edges;
    solid->add_pattern(edges);
    pattern = BlockPattern(static_cast<int>(mesh.vertices.size()), edges);
    solid->attach(pattern);
    stage.time = 0.7;
    stage.time_step = 0.6;
    stage.c_v = 10;
    stage.c_a = 100;
    stage.x_step = stage.x_v = stage.x_a = testing::positions(mesh) + 0.1 * random_vector(size(), 2);
  }
  Index size() const { return 3 * std::ssize(mesh.vertices); }
  Index vertices() const { return std::ssize(mesh.vertices); }

  void check(Potential& term) const {
    const Vector d = random_vector(size(), 3);
    const auto evaluate = [&](const Vector& at, Vector* gradient) {
      Vector energies(term.contributions());
      term.evaluate(at, {energies.data(), static_cast<size_t>(energies.size())}, gradient);
      return energies.sum();
    };
    const auto gradient = [&](const Vector& at) {
      Vector g = Vector::Zero(size());
      evaluate(at, &g);
      return g;
    };
    EXPECT_TRUE(
        testing::check_derivative([&](double t) { return Vector::Constant(1, evaluate(x + t * d, nullptr)); },
                                  Vector::Constant(1, gradient(x).dot(d))));
    BlockMatrix H(pattern);
    term.add_hessian(x, Definiteness::none, H);
    Vector slope;
    H.multiply(d, slope);
    if (slope.norm() == 0) {
      EXPECT_EQ(gradient(x), gradient(x + d)) << "no Hessian, yet the gradient changes";
    } else {
      EXPECT_TRUE(testing::check_derivative([&](double t) { return gradient(x + t * d); }, slope));
    }
  }
};

TEST(Gravity, HasTheDerivativesItClaims) {
  InStage s;
  Gravity gravity(Vector::LinSpaced(s.vertices(), 1, 2), Vec3(1, -9.81, 0.5));
  s.check(gravity);
}

TEST(StiffnessDamping, HasTheDerivativesItClaims) {
  InStage s;
  StiffnessDamping damping({s.solid.get()}, 0.01);
  damping.attach(s.pattern);
  damping.begin_stage(s.stage);
  s.check(damping);
}

TEST(StiffnessDamping, NeverGivesEnergyBack) {
  InStage s;
  StiffnessDamping damping({s.solid.get()}, 0.01);
  damping.attach(s.pattern);
  s.stage.x_step = s.stage.x_v =
      random_vector(s.size(), 9);  // tangled: the elastic Hessian is indefinite there
  damping.begin_stage(s.stage);
  for (unsigned seed = 0; seed < 20; ++seed)
    EXPECT_GE(damping.power(s.stage.x_v, random_vector(s.size(), seed), {}).dissipated, 0);
}

TEST(StiffnessDamping, LeavesRigidMotionAlone) {
  InStage s;
  StiffnessDamping damping({s.solid.get()}, 0.01);
  damping.attach(s.pattern);
  s.stage.x_step = s.stage.x_v = testing::positions(s.mesh);
  damping.begin_stage(s.stage);
  Vector v(s.size());
  for (Index i = 0; i < v.size(); i += 3) v.segment<3>(i) = Vec3(0.3, -0.2, 0.1);
  EXPECT_NEAR(damping.power(s.stage.x_v, v, {}).dissipated, 0, 1e-12);
}

TEST(MassDamping, HasTheDerivativesItClaims) {
  InStage s;
  MassDamping damping(Vector::LinSpaced(s.vertices(), 0.4, 0.8));
  damping.begin_stage(s.stage);
  s.check(damping);
}

TEST(Wind, HasTheDerivativesItClaims) {
  InStage s;
  Wind wind({{0, 1, 2}, {1, 3, 2}, {4, 5, 6}}, {Vec3(3, -1, 2), Vec3::Zero(), 0}, 0.7);
  std::vector<std::pair<int, int>> edges;
  wind.add_pattern(edges);
  s.pattern = BlockPattern(static_cast<int>(s.vertices()), edges);
  wind.attach(s.pattern);
  wind.begin_stage(s.stage);
  s.check(wind);
}

TEST(Wind, TakesEnergyFromWhatMovesInStillAirAndGivesItWhereItBlows) {
  InStage s;
  Wind still({{0, 1, 2}, {1, 3, 2}}, {}, 0.7),
      blowing({{0, 1, 2}, {1, 3, 2}}, {Vec3(5, 4, 3), Vec3::Zero(), 0}, 0.7);
  still.begin_stage(s.stage);
  blowing.begin_stage(s.stage);
  const Vector v = random_vector(s.size(), 4);
  EXPECT_GT(still.power(s.x, v, {}).dissipated, 0);
  EXPECT_EQ(still.power(s.x, v, {}).supplied, 0);
  // What the force does to the body is what is supplied and not dissipated.
  Vector energies(2), gradient = Vector::Zero(s.size());
  const Vector x = s.stage.x_v + v / s.stage.c_v;
  blowing.evaluate(x, {energies.data(), 2}, &gradient);
  const StageTerm::Power power = blowing.power(x, v, {});
  EXPECT_NEAR(-gradient.dot(v), power.supplied - power.dissipated, 1e-12 * std::abs(power.supplied));
}

TEST(Wind, BlowsInGusts) {
  const Air air{Vec3(1, 0, 0), Vec3(0, 2, 0), 0.25};
  EXPECT_LT((air.at(0) - Vec3(1, 0, 0)).norm(), 1e-12);
  EXPECT_LT((air.at(1) - Vec3(1, 2, 0)).norm(), 1e-12);
  EXPECT_LT((air.at(3) - Vec3(1, -2, 0)).norm(), 1e-12);
}

Motion turning() {
  Motion motion;
  motion.center = Vec3(0.1, 0, 0);
  motion.axis = Vec3(0, 1, 1);
  motion.keys = {{0, Vec3::Zero(), 0}, {1, Vec3(1, 0, 0), 2}, {2, Vec3(1, 1, 0), -1}};
  return motion;
}

TEST(Attachment, HasTheDerivativesItClaims) {
  InStage s;
  Attachment attachment({0, 5}, {s.mesh.vertices[0], s.mesh.vertices[5]}, turning(), 50);
  attachment.begin_stage(s.stage);
  s.check(attachment);
}

TEST(Attachment, StoresWhatMovingItsTargetBringsIn) {
  // With the vertex held in place, all the work goes into the spring.
  InStage s;
  Motion motion;
  motion.keys = {{0, Vec3::Zero(), 0}, {1, Vec3(1, 0, 0), 0}};
  Attachment attachment({3}, {s.x.segment<3>(9)}, motion, 50);
  double work = 0;
  const int steps = 10000;
  for (int i = 0; i < steps; ++i) {
    s.stage.time = double(i + 1) / steps;
    attachment.begin_stage(s.stage);
    work +=
        attachment.power(s.x, Vector::Zero(s.x.size()), {double(i) / steps, s.stage.time}).supplied / steps;
  }
  EXPECT_NEAR(work, attachment.stored(s.x, 1), 1e-3 * work);
}

TEST(Motion, VelocityAndAccelerationAreDerivativesOfPosition) {
  for (const auto interpolation : {Motion::Interpolation::linear, Motion::Interpolation::smooth}) {
    Motion motion = turning();
    motion.interpolation = interpolation;
    const Vec3 X(0.3, -0.2, 0.5);
    for (const double t : {0.3, 0.8, 1.4})
      EXPECT_TRUE(testing::check_derivative([&](double dt) { return Vector(motion.position(X, t + dt)); },
                                            Vector(motion.velocity(X, t)), {.step = 0.05}));
    for (const double t : {0.3, 0.8, 1.4})
      EXPECT_TRUE(testing::check_derivative([&](double dt) { return Vector(motion.velocity(X, t + dt)); },
                                            Vector(motion.acceleration(X, t)), {.step = 0.05}));
  }
}

TEST(Motion, PassesThroughItsKeysAndStaysAtTheEnds) {
  const Motion motion = turning();
  const Vec3 X(0.3, -0.2, 0.5);
  EXPECT_EQ(motion.position(X, 0), X);
  EXPECT_EQ(motion.position(X, -1), X);
  EXPECT_EQ(motion.position(X, 3), motion.position(X, 2));
  EXPECT_EQ(motion.velocity(X, 3), Vec3::Zero());
  EXPECT_LT((motion.position(motion.center, 1) - motion.center - Vec3(1, 0, 0)).norm(), 1e-15);
}

TEST(Motion, KeepsTheSpeedItArrivesWithAtAKey) {
  Motion motion;
  motion.keys = {{0, Vec3::Zero(), 0}, {1, Vec3(2, 0, 0), 0}};
  EXPECT_EQ(motion.velocity(Vec3::Zero(), 1), Vec3(2, 0, 0));
}

class Schedules : public ::testing::TestWithParam<int> {};

TEST_P(Schedules, ColourChunksSoThatNoneOfAColourShareAVertex) {
  const TetMesh mesh = testing::cube(GetParam());
  std::vector<Vec3> centers;
  for (const auto& tet : mesh.tets) centers.push_back(mesh.vertices[tet[0]]);
  const ElementSchedule schedule({mesh.tets[0].data(), mesh.tets.size() * 4}, 4, order_of_elements(centers));
  std::vector<int> order = schedule.order();
  std::sort(order.begin(), order.end());
  for (int i = 0; i < static_cast<int>(order.size()); ++i) ASSERT_EQ(order[i], i);
  EXPECT_GT(schedule.colours(), 1);

  // Chunks are visited colour by colour; a vertex seen again by another chunk before the colour changed would
  // be a race.
  size_t visited = 0;
  std::mutex mutex;
  schedule.for_each_chunk([&](Index begin, Index end) {
    const std::lock_guard lock(mutex);
    visited += end - begin;
  });
  EXPECT_EQ(visited, mesh.tets.size());
  for (int colour = 0; colour < schedule.colours(); ++colour) {
    std::vector<int> owner(mesh.vertices.size(), -1);
    for (const int chunk : schedule.chunks_of(colour)) {
      const Index begin = Index{chunk} * schedule.chunk();
      for (Index place = begin; place < std::min(begin + schedule.chunk(), std::ssize(mesh.tets)); ++place)
        for (const int vertex : mesh.tets[schedule.order()[place]]) {
          ASSERT_TRUE(owner[vertex] == -1 || owner[vertex] == chunk);
          owner[vertex] = chunk;
        }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(SmallAndLarge, Schedules, ::testing::Values(10, 32));

TEST(ElementSchedule, HasLargerChunksInALargerMesh) {
  const auto chunk = [](int elements) {
    std::vector<int> order(elements), corners(4 * static_cast<size_t>(elements));
    std::iota(order.begin(), order.end(), 0);
    std::iota(corners.begin(), corners.end(), 0);
    return ElementSchedule(corners, 4, order).chunk();
  };
  EXPECT_EQ(chunk(1), ElementSchedule::kSmallest);
  EXPECT_EQ(chunk(70000), 256);
  EXPECT_EQ(chunk(300000), ElementSchedule::kLargest);
}

}  // namespace
}  // namespace pliant::terms_test
