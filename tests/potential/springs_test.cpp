#include "pliant/potential/springs.hpp"

#include "dense.hpp"
#include "derivative_checker.hpp"
#include "meshes.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh/cloth.hpp"
#include "pliant/mesh/strand.hpp"

namespace pliant::springs_test {
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

TEST(Springs, OfAnySolidHaveItsBulkModulus) {
  // Six edges a tetrahedron: stretched alike in all directions, 6 E / 2 strain^2 a volume, which is that of a
  // bulk modulus of 2/3 E; whatever the tetrahedra look like.
  TetMesh rest = testing::cube(3);
  const Vector shift = 0.05 * random_vector(3 * std::ssize(rest.vertices), 4);
  for (size_t i = 0; i < rest.vertices.size(); ++i)
    if (rest.vertices[i].cwiseAbs().maxCoeff() < 0.49) rest.vertices[i] += shift.segment<3>(3 * i);
  const std::unique_ptr<Potential> springs = make_springs(rest, 0, 1e4);
  Vector energies(springs->contributions());
  const double strain = 1e-2;
  springs->evaluate((1 + strain) * positions(rest), {energies.data(), static_cast<size_t>(energies.size())},
                    nullptr);
  EXPECT_NEAR(energies.sum(), 3 * 1e4 * strain * strain, 1e-9);
}

/// Young's modulus along x of a bar of springs that is pulled a little and free to narrow, in parts of what
/// it was asked to have.
double modulus_of_bar(int cells, int tets_per_cell) {
  const TetMesh rest = make_box({Vec3(2, 1, 1), {2 * cells, cells, cells}, tets_per_cell});
  const Index size = 3 * std::ssize(rest.vertices);
  const std::unique_ptr<Potential> springs = make_springs(rest, 0, 1);
  // At rest the second derivative is k n n^T, whoever assembles it.
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(size, size);
  for (const SpringAt& spring : springs_of(*springs)) {
    const Vec3 n = (rest.vertices[spring.a] - rest.vertices[spring.b]).normalized();
    const Mat3 block = spring.stiffness * n * n.transpose();
    H.block<3, 3>(3 * spring.a, 3 * spring.a) += block;
    H.block<3, 3>(3 * spring.b, 3 * spring.b) += block;
    H.block<3, 3>(3 * spring.a, 3 * spring.b) -= block;
    H.block<3, 3>(3 * spring.b, 3 * spring.a) -= block;
  }
  Vector u = Vector::Zero(size);
  std::vector<Index> free;
  for (size_t i = 0; i < rest.vertices.size(); ++i) {
    const Vec3& X = rest.vertices[i];
    const bool end = std::abs(X.x()) > 0.999, axis = X.tail<2>().norm() < 1e-9,
               level = std::abs(X.z()) < 1e-9;
    if (end) u[3 * i] = X.x();  // a strain of 1
    for (int k = 0; k < 3; ++k) {
      // Faces stay flat and may narrow; the axis of an end holds the rest.
      const bool held = k == 0 ? end : end && (axis || (k == 2 && level));
      if (!held) free.push_back(3 * static_cast<Index>(i) + k);
    }
  }
  const Vector force = H * u;
  const Eigen::MatrixXd inner = H(free, free);
  const Vector moved = testing::solve(inner, Vector(force(free)));
  for (size_t i = 0; i < free.size(); ++i) u[free[i]] = -moved[static_cast<Index>(i)];
  return u.dot(H * u) / 2;  // the energy is E / 2 a volume, and the volume is 2
}

TEST(Springs, OfASolidBarHaveAboutItsModulusAtAnyResolution) {
  // Cells that are cut into five have edges along the axes and the diagonals of faces, half of the weight
  // each: along the axes they are stiffer than a material without directions, E (4/3 - 2 (1/3)^2 / (5/3)).
  const double coarse = modulus_of_bar(2, 5), fine = modulus_of_bar(4, 5);
  EXPECT_NEAR(fine, 1.2, 0.06);
  EXPECT_NEAR(coarse, fine, 0.06) << "does not depend on the mesh";
  // Cut into six they have more along the axes, and one diagonal through the cell.
  EXPECT_NEAR(modulus_of_bar(3, 6), 1, 0.3);
}

TEST(Springs, OfASolidAndOfAPlaneFollowEveryEdgeOnce) {
  const TetMesh solid = testing::cube(1);
  const auto of_solid = make_springs(solid, 7, 1e4);
  EXPECT_EQ(springs_of(*of_solid).size(), 18u) << "12 edges and 6 diagonals";
  for (const SpringAt& spring : springs_of(*of_solid))
    EXPECT_NEAR(spring.length, (solid.vertices[spring.a - 7] - solid.vertices[spring.b - 7]).norm(), 1e-15);
  TetMesh plane;
  plane.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  plane.triangles = {{0, 1, 2}, {0, 2, 3}};
  plane.thickness = 0.1;
  const auto springs = make_springs(plane, 0, 1e4);
  ASSERT_EQ(springs_of(*springs).size(), 5u);
  for (const SpringAt& spring : springs_of(*springs))
    EXPECT_NEAR(spring.stiffness, 1e4 * 0.1 * 0.5, 1e-9) << "of both triangles along the diagonal";
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

TEST(Springs, OfASolidGetThePaintOfTheirTetrahedra) {
  const TetMesh rest = testing::cube(1);
  std::vector<double> paint(rest.tets.size(), 1.0);
  paint[0] = 3;
  const auto plain = make_springs(rest, 0, 1e4), painted = make_springs(rest, 0, 1e4, paint);
  const auto in_first = [&](int vertex) {
    return std::find(rest.tets[0].begin(), rest.tets[0].end(), vertex) != rest.tets[0].end();
  };
  const std::vector<SpringAt> of_plain = springs_of(*plain), of_painted = springs_of(*painted);
  for (size_t e = 0; e < of_plain.size(); ++e) {
    const SpringAt &before = of_plain[e], &after = of_painted[e];
    if (in_first(before.a) && in_first(before.b))
      EXPECT_GT(after.stiffness, 1.1 * before.stiffness);
    else
      EXPECT_EQ(after.stiffness, before.stiffness);
  }
}

}  // namespace
}  // namespace pliant::springs_test
