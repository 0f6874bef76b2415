#include "pliant/potential/springs.hpp"

#include "derivative_checker.hpp"
#include "meshes.hpp"
#include "pliant/geometry/body_mesh.hpp"
#include "pliant/geometry/cloth.hpp"
#include "pliant/geometry/strand.hpp"

namespace pliant {
namespace {

using testing::positions;
using testing::random_vector;

TetMesh cloth() {
  return make_sheet(make_cloth_disc({.radius = 0.5, .cell = 0.1, .pattern = DiscPattern::kDelaunay}), 2e-3);
}

/// Springs that are ready, and a place where some of them are pressed.
struct Crumpled {
  TetMesh rest = cloth();
  BlockPattern pattern;
  std::unique_ptr<Potential> springs = make_springs(rest, 0, 1e6);
  Vector x = positions(rest) + 0.04 * random_vector(3 * std::ssize(rest.vertices), 1);

  Crumpled() {
    std::vector<std::pair<int, int>> edges;
    springs->add_pattern(edges);
    pattern = BlockPattern(static_cast<int>(rest.vertices.size()), edges, rest.vertices);
    springs->attach(pattern);
  }
  Vector gradient(const Vector& at) const {
    Vector g = Vector::Zero(at.size());
    std::vector<double> energies(static_cast<size_t>(springs->contributions()));
    springs->evaluate(at, energies, &g);
    return g;
  }
  double energy(const Vector& at) const {
    std::vector<double> energies(static_cast<size_t>(springs->contributions()));
    springs->evaluate(at, energies, nullptr);
    return std::accumulate(energies.begin(), energies.end(), 0.0);
  }
  Vector slope(const Vector& d, Definiteness definiteness) const {
    BlockMatrix H(pattern);
    H.set_zero();
    springs->add_hessian(x, definiteness, H);
    Vector y;
    H.multiply(d, y);
    return y;
  }
};

TEST(Springs, HaveTheDerivativesOfTheirEnergy) {
  const Crumpled s;
  const Vector d = random_vector(s.x.size(), 2);
  EXPECT_TRUE(testing::check_derivative([&](double t) { return Vector::Constant(1, s.energy(s.x + t * d)); },
                                        Vector::Constant(1, s.gradient(s.x).dot(d)), {.step = 1e-4}));
  EXPECT_TRUE(testing::check_derivative([&](double t) { return s.gradient(s.x + t * d); },
                                        s.slope(d, Definiteness::none), {.step = 1e-4}));
}

TEST(Springs, ArePressedHereAndDefiniteWhereAsked) {
  const Crumpled s;
  double least = 0, least_clamped = 0, least_abs = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    // Across a single pressed spring there is nothing but its own force.
    Vector d = Vector::Zero(s.x.size());
    const Index vertex = seed % (s.x.size() / 3);
    d.segment<3>(3 * vertex) = random_vector(3, seed);
    least = std::min(least, d.dot(s.slope(d, Definiteness::none)));
    least_clamped = std::min(least_clamped, d.dot(s.slope(d, Definiteness::clamp)));
    least_abs = std::min(least_abs, d.dot(s.slope(d, Definiteness::abs)));
  }
  EXPECT_LT(least, 0);
  EXPECT_EQ(least_clamped, 0);
  EXPECT_EQ(least_abs, 0);
}

TEST(Springs, DoNotFeelTurns) {
  const Crumpled s;
  Vector turned = positions(s.rest);
  const Eigen::AngleAxisd turn(1.1, Vec3(1, 2, -1).normalized());
  for (Index i = 0; i < turned.size(); i += 3)
    turned.segment<3>(i) = turn * turned.segment<3>(i) + Vec3(1, 2, 3);
  EXPECT_LT(s.energy(turned), 1e-20);
}

TEST(Springs, OfAStrandAreBars) {
  const StrandMesh strand = make_strand({.length = 2}, 10);
  TetMesh rest;
  rest.vertices = strand.vertices;
  rest.edges = strand.edges;
  rest.thickness = 0.01;
  const std::unique_ptr<Potential> springs = make_springs(rest, 0, 1e7);
  Vector g = Vector::Zero(33);
  std::vector<double> energies(10);
  springs->evaluate(1.02 * positions(rest), energies, &g);
  const double section = std::numbers::pi * 0.01 * 0.01 / 4;
  EXPECT_NEAR(std::abs(g[0]), 1e7 * section * 0.02, 1e-9) << "E A strain at its end";
  EXPECT_NEAR(g.segment(3, 27).norm(), 0, 1e-9) << "balanced between";
}

TEST(Springs, OfEquilateralTrianglesHaveTheModulusOfTheSheet) {
  // A hexagon of six triangles stretched alike in both directions: the energy is E t / (1 - nu) strain^2 an
  // area, with nu = 1/3; edges at the rim have half the stiffness.
  const TetMesh rest = make_sheet(make_cloth_disc({.radius = 1, .cell = 1}), 1e-3);
  ASSERT_EQ(rest.triangles.size(), 6u);
  const std::unique_ptr<Potential> springs = make_springs(rest, 0, 1e6);
  std::vector<double> energies(rest.edges.size());
  const double strain = 1e-3, area = 6 * std::sqrt(3) / 4;
  springs->evaluate((1 + strain) * positions(rest), energies, nullptr);
  EXPECT_NEAR(std::accumulate(energies.begin(), energies.end(), 0.0),
              1e6 * 1e-3 / (1 - 1.0 / 3) * strain * strain * area, 1e-12);
}

TEST(Springs, GetTheirShareOfThePaint) {
  const TetMesh rest = cloth();
  const std::vector<double> three(rest.edges.size(), 3.0);
  const Vector x = 1.1 * positions(rest);
  std::vector<double> plain(rest.edges.size()), painted = plain;
  make_springs(rest, 0, 1e6)->evaluate(x, plain, nullptr);
  make_springs(rest, 0, 1e6, three)->evaluate(x, painted, nullptr);
  for (size_t e = 0; e < plain.size(); ++e) EXPECT_NEAR(painted[e], 3 * plain[e], 1e-12 * painted[e]);
}

}  // namespace
}  // namespace pliant
