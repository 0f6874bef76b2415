// What cloth and fibres are made of: membranes, hinges, springs across edges, weighted springs.
#include <Eigen/Geometry>

#include "dense.hpp"
#include "derivative_checker.hpp"
#include "meshes.hpp"
#include "pliant/mesh/cloth.hpp"
#include "pliant/potential/capabilities.hpp"
#include "pliant/potential/fibres.hpp"
#include "pliant/potential/hinges.hpp"
#include "pliant/potential/solid.hpp"
#include "pliant/potential/springs.hpp"
#include "potential/moduli.hpp"
#include "test_names.hpp"

namespace pliant::sheet_test {
namespace {

using testing::check_derivative;
using testing::positions;
using testing::random_vector;

/// A potential of some vertices with all that is asked of it.
struct Held {
  std::unique_ptr<Potential> potential;
  BlockPattern pattern;

  Held(std::unique_ptr<Potential> part, size_t vertices) : potential(std::move(part)) {
    std::vector<std::pair<int, int>> edges;
    potential->add_pattern(edges);
    pattern = BlockPattern(static_cast<int>(vertices), edges);
    potential->attach(pattern);
  }
  double energy(const Vector& x, Vector* gradient = nullptr) const {
    Vector energies(potential->contributions());
    potential->evaluate(x, {energies.data(), static_cast<size_t>(energies.size())}, gradient);
    return energies.sum();
  }
  Vector gradient(const Vector& x) const {
    Vector g = Vector::Zero(x.size());
    energy(x, &g);
    return g;
  }
  Eigen::MatrixXd hessian(const Vector& x, Definiteness definiteness) const {
    BlockMatrix H(pattern);
    H.set_zero();
    potential->add_hessian(x, definiteness, H);
    return dense([&](const Vector& d, Vector& y) { H.multiply(d, y); }, x.size());
  }
  Eigen::MatrixXd proxy(const StretchRange& range = {}) const {
    ScalarMatrix L(pattern);
    if (const auto* constant = dynamic_cast<const ConstantProxy*>(potential.get()))
      constant->add_proxy(range, L);
    return dense([&](const Vector& d, Vector& y) { L.multiply(d, y); }, 3 * pattern.rows());
  }
  void check(const Vector& x, double step = 1e-3) const {
    const Vector d = random_vector(x.size(), 11);
    EXPECT_TRUE(check_derivative([&](double t) { return Vector::Constant(1, energy(x + t * d)); },
                                 Vector::Constant(1, gradient(x).dot(d)), {.step = step}));
    EXPECT_TRUE(check_derivative([&](double t) { return gradient(x + t * d); },
                                 hessian(x, Definiteness::none) * d, {.step = step}));
    const Eigen::MatrixXd H = hessian(x, Definiteness::none);
    EXPECT_LT((H - H.transpose()).norm(), 1e-10 * H.norm());
    const Eigen::VectorXd values = testing::eigenvalues(hessian(x, Definiteness::clamp));
    EXPECT_GT(values.minCoeff(), -1e-9 * values.maxCoeff());
    const Eigen::VectorXd of_proxy = testing::eigenvalues(proxy());
    EXPECT_GE(of_proxy.minCoeff(), -1e-9 * std::max(of_proxy.maxCoeff(), 1e-300));
  }

 private:
  static Eigen::MatrixXd dense(const std::function<void(const Vector&, Vector&)>& multiply, Index size) {
    Eigen::MatrixXd M(size, size);
    Vector column;
    for (Index d = 0; d < size; ++d) {
      multiply(Vector::Unit(size, d), column);
      M.col(d) = column;
    }
    return M;
  }
};

TetMesh sheet(int cells, double thickness = 0.01) {
  const TriangleMesh cloth = make_cloth_rectangle({.size = {1, 0.8}, .cells = {cells, cells}});
  TetMesh mesh;
  mesh.vertices = cloth.vertices;
  mesh.triangles = cloth.triangles;
  mesh.thickness = thickness;
  for (const auto& t : cloth.triangles)
    for (int k = 0; k < 3; ++k)
      mesh.edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
  std::sort(mesh.edges.begin(), mesh.edges.end());
  mesh.edges.erase(std::unique(mesh.edges.begin(), mesh.edges.end()), mesh.edges.end());
  return mesh;
}

Vector crumpled(const TetMesh& mesh, double size = 0.05) {
  Vector x = positions(mesh);
  return x + size * random_vector(x.size(), 5);
}

class Membranes : public ::testing::TestWithParam<std::string> {};

TEST_P(Membranes, HaveTheirDerivatives) {
  const TetMesh mesh = sheet(2);
  const Held held(testing::make_sample(GetParam(), mesh, 1e4), mesh.vertices.size());
  held.check(crumpled(mesh));
}

TEST_P(Membranes, DoNotFeelWhereTheyAreAndHowTheyAreTurned) {
  const TetMesh mesh = sheet(2);
  const Held held(testing::make_sample(GetParam(), mesh, 1e4), mesh.vertices.size());
  const Vector x = crumpled(mesh);
  Vector turned = x;
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(1.1, Vec3(1, -2, 0.5).normalized()));
  for (Index i = 0; i < x.size(); i += 3) turned.segment<3>(i) = turn * x.segment<3>(i) + Vec3(3, 2, 1);
  EXPECT_NEAR(held.energy(turned), held.energy(x), 1e-10 * held.energy(x));
}

std::vector<std::string> all_materials() {
  std::vector<std::string> names;
  for (const SolidMaterial& solid : solid_materials()) names.emplace_back(solid.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Materials, Membranes, ::testing::ValuesIn(all_materials()),
                         [](const auto& made) { return testing::as_test_name(made.param); });

/// Pulled along one side and free to narrow: as a strip of the material is.
TEST(Membrane, IsAsStiffAsAThinStripOfItsMaterial) {
  const TetMesh mesh = sheet(3);
  const double young = 1e4, poisson = 0.3, e = 1e-5;
  const Held held(make_solid("corotated", mesh, 0, lame(young, poisson)), mesh.vertices.size());
  Vector x = positions(mesh);
  for (Index i = 0; i < x.size(); i += 3) {
    x[i] *= 1 + e;
    x[i + 2] *= 1 - poisson * e;
  }
  const double volume = 1 * 0.8 * mesh.thickness;
  EXPECT_NEAR(held.energy(x), 0.5 * young * e * e * volume, 1e-4 * 0.5 * young * e * e * volume);
}

TEST(Membrane, BearsTrianglesThatAreLinesOrPoints) {
  const TetMesh mesh = sheet(1);
  const Held held(make_solid("fixed-corotated", mesh, 0, lame(1e4, 0.3)), mesh.vertices.size());
  Vector x = positions(mesh);
  for (Index i = 0; i < x.size(); i += 3) x[i] = 0;
  EXPECT_TRUE(held.gradient(x).allFinite());
  EXPECT_TRUE(held.hessian(x, Definiteness::clamp).allFinite());
  x.setZero();
  EXPECT_TRUE(held.gradient(x).allFinite());
  EXPECT_TRUE(held.hessian(x, Definiteness::clamp).allFinite());
}

TEST(Hinges, HaveTheirDerivatives) {
  const TetMesh mesh = sheet(2);
  const Held held(make_hinges(mesh, 0, 0.1), mesh.vertices.size());
  held.check(crumpled(mesh, 0.1));
}

TEST(Hinges, RestWhereTheyWereMade) {
  TetMesh mesh = sheet(3);
  for (Vec3& vertex : mesh.vertices) vertex.y() = 0.2 * std::sin(3 * vertex.x()) * std::cos(2 * vertex.z());
  const Held held(make_hinges(mesh, 0, 0.1), mesh.vertices.size());
  EXPECT_LT(held.energy(positions(mesh)), 1e-25);
  EXPECT_GT(held.energy(positions(sheet(3))), 1e-3);
}

/// A sheet on a cylinder: all hinges along it bend, those across and along the diagonals of flat cells do
/// not, which makes it three times as stiff as a plate.
TEST(Hinges, BendAsTheNoteSays) {
  const double D = 0.2, curvature = 0.3;
  TetMesh mesh = sheet(24);
  const Held held(make_hinges(mesh, 0, D), mesh.vertices.size());
  Vector x = positions(mesh);
  for (Index i = 0; i < x.size(); i += 3) {
    const double angle = curvature * x[i];
    x[i] = std::sin(angle) / curvature;
    x[i + 1] = (1 - std::cos(angle)) / curvature;
  }
  const double plate = 0.5 * D * curvature * curvature * 0.8;
  EXPECT_NEAR(held.energy(x) / plate, 3, 0.15);
  // The constant matrix knows the same energy, as far as nothing stretches.
  EXPECT_NEAR(0.5 * x.dot(held.proxy() * x) / held.energy(x), 1, 0.01);
}

TEST(BendingSprings, JoinTheCornersOnBothSidesOfEdges) {
  const TetMesh mesh = sheet(2);
  const auto springs = make_bending_springs(mesh, 10, 5);
  EXPECT_EQ(springs_of(*springs).size(), find_hinges(mesh).size());
  for (const SpringAt& spring : springs_of(*springs)) {
    EXPECT_EQ(spring.stiffness, 5);
    EXPECT_NEAR(spring.length, (mesh.vertices[spring.a - 10] - mesh.vertices[spring.b - 10]).norm(), 1e-15);
  }
}

TEST(BendingSprings, OfAStrandSkipAVertex) {
  TetMesh strand;
  for (int i = 0; i < 4; ++i) strand.vertices.emplace_back(0.5 * i, 0, 0);
  strand.edges = {{0, 1}, {1, 2}, {2, 3}};
  const auto springs = make_bending_springs(strand, 0, 5);
  ASSERT_EQ(springs_of(*springs).size(), 2U);
  for (const SpringAt& spring : springs_of(*springs)) {
    EXPECT_EQ(std::abs(spring.a - spring.b), 2);
    EXPECT_EQ(spring.length, 1);
  }
}

TEST(Fibres, HaveTheirDerivatives) {
  const TetMesh mesh = testing::cube(1);
  const Held held(make_fibres(mesh, 0, Vec3(1, 2, -1), 1e3), mesh.vertices.size());
  held.check(crumpled(mesh, 0.2));
}

TEST(Fibres, ResistStretchAlongThemAlone) {
  const TetMesh mesh = testing::cube(2);
  const Held held(make_fibres(mesh, 0, Vec3(0, 3, 0), 1e3), mesh.vertices.size());
  Vector along = positions(mesh), across = along;
  for (Index i = 0; i < along.size(); i += 3) {
    along[i + 1] *= 1.1;
    across[i] *= 1.4;
    across[i + 2] *= 0.5;
  }
  EXPECT_NEAR(held.energy(along), 0.5 * 1e3 * 0.01, 1e-9);
  EXPECT_LT(held.energy(across), 1e-20);
}

TEST(KeptVolume, HasItsDerivatives) {
  const TetMesh mesh = testing::cube(1);
  const Held held(make_volume_solid(mesh, 0, {.mu = 1e3}), mesh.vertices.size());
  held.check(crumpled(mesh, 0.2));
}

TEST(KeptVolume, IsTheDistanceToTheNearestThatKeepsIt) {
  const TetMesh mesh = testing::cube(1);
  const Held held(make_volume_solid(mesh, 0, {.mu = 0.5}), mesh.vertices.size());
  const auto energy = [&](double a, double b, double c) {
    Vector x = positions(mesh);
    for (Index i = 0; i < x.size(); i += 3) x.segment<3>(i) = x.segment<3>(i).cwiseProduct(Vec3(a, b, c));
    return held.energy(x);
  };
  EXPECT_NEAR(energy(2, 0.5, 1), 0, 1e-14);
  EXPECT_NEAR(energy(2, 2, 2), 1.5, 1e-12) << "to the unit cube";
  // Against a search over all p with p0 p1 p2 = 1.
  for (const Vec3& s :
       {Vec3(1.5, 1.1, 0.4), Vec3(1.2, 0.9, -0.3), Vec3(0.4, 0.3, 0.2), Vec3(3, 2, 0.4), Vec3(6, 5, 0.3)}) {
    double least = 1e9;
    for (double p = 0.02; p < 8; p *= 1.004)
      for (double q = 0.02; q < 8; q *= 1.004)
        least = std::min(least, 0.5 * (s - Vec3(p, q, 1 / (p * q))).squaredNorm());
    EXPECT_NEAR(energy(s[0], s[1], s[2]), least, 1e-3 * least + 1e-6) << s.transpose();
  }
}

TEST(Spline, PassesThroughItsPointsAndIsSmooth) {
  const std::vector<std::array<double, 2>> points{{0.4, -3}, {0.8, -1}, {1, 0}, {1.3, 0.5}, {2, 4}};
  const Spline spline(points);
  const auto f = [&](double x) { return at(spline.pieces(), x); };
  EXPECT_EQ(f(1).value, 0);
  for (const auto& [x, slope] : points) {
    EXPECT_NEAR(f(x).slope, slope, 1e-14);
    EXPECT_NEAR(f(x - 1e-9).second, f(x + 1e-9).second, 1e-6);
  }
  for (const double x : {-1.0, 0.1, 0.5, 0.9, 1.1, 1.7, 3.0}) {
    const double h = 1e-5;
    EXPECT_NEAR((f(x + h).value - f(x - h).value) / (2 * h), f(x).slope, 1e-8);
    EXPECT_NEAR((f(x + h).slope - f(x - h).slope) / (2 * h), f(x).second, 1e-6);
  }
}

/// St. Venant and Kirchhoff's functions are cubic: a spline through enough points of them is that material.
TEST(SplineMaterial, IsTheMaterialWhoseFunctionsItIsGiven) {
  const Lame moduli = lame(1e3, 0.3);
  SplinePoints points;
  for (double x = 0.2; x < 2; x += 0.02) {
    points.a.insert(points.a.end(),
                    {x, moduli.mu * x * (x * x - 1) + moduli.lambda / 2 * (x * x * x - 3 * x)});
    points.b.insert(points.b.end(), {x, moduli.lambda / 2 * x});
  }
  const TetMesh mesh = testing::cube(1);
  const Held held(make_solid("spline", mesh, 0, moduli, SplineParameters{points}), mesh.vertices.size());
  const Held exact(make_solid("st-venant-kirchhoff", mesh, 0, moduli), mesh.vertices.size());
  const Vector x = crumpled(mesh, 0.1);
  EXPECT_LT((held.gradient(x) - exact.gradient(x)).norm(), 1e-4 * exact.gradient(x).norm());
  held.check(x, 1e-4);
}

}  // namespace
}  // namespace pliant::sheet_test
