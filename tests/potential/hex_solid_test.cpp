// Trilinear hexahedra of every material.

#include "dense.hpp"
#include "derivative_checker.hpp"
#include "meshes.hpp"
#include "pliant/mesh/box.hpp"
#include "pliant/potential/solid.hpp"
#include "potential/moduli.hpp"
#include "test_names.hpp"

namespace pliant::hex_solid_test {
namespace {

using testing::check_derivative;
using testing::positions;
using testing::random_vector;

struct Bricks {
  TetMesh mesh;
  std::unique_ptr<Potential> potential;
  BlockPattern pattern;

  explicit Bricks(std::string_view material, std::array<int, 3> cells = {2, 1, 1}, bool hexahedra = true)
      : mesh(make_box({.size = {1.2, 0.7, 0.5}, .cells = cells, .hexahedra = hexahedra})) {
    // Turned, so that rest edges are not those of the axes.
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()));
    for (Vec3& vertex : mesh.vertices) vertex = turn * vertex;
    potential = testing::make_sample(material, mesh);
    std::vector<std::pair<int, int>> edges;
    potential->add_pattern(edges);
    pattern = BlockPattern(static_cast<int>(mesh.vertices.size()), edges);
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
  BlockMatrix hessian(const Vector& x, Definiteness definiteness) const {
    BlockMatrix H(pattern);
    H.set_zero();
    potential->add_hessian(x, definiteness, H);
    return H;
  }
  Vector deformed(const Mat3& F) const {
    Vector x = positions(mesh);
    for (Index i = 0; i < x.size(); i += 3) x.segment<3>(i) = F * x.segment<3>(i);
    return x;
  }
};

Mat3 some_deformation() {
  Mat3 F;
  F << 1.2, 0.1, -0.2, 0.05, 0.9, 0.15, 0.1, -0.1, 1.1;
  return F;
}

class HexSolidOf : public ::testing::TestWithParam<std::string_view> {};

std::vector<std::string_view> materials() {
  std::vector<std::string_view> names;
  for (const SolidMaterial& material : solid_materials()) names.push_back(material.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Materials, HexSolidOf, ::testing::ValuesIn(materials()),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param); });

TEST_P(HexSolidOf, HasTheGradientAndHessianThatDifferencesGive) {
  const Bricks bricks(GetParam());
  const Vector x =
      bricks.deformed(some_deformation()) + 0.03 * random_vector(3 * std::ssize(bricks.mesh.vertices), 4);
  const Vector along = random_vector(x.size(), 5);
  const Vector g = bricks.gradient(x);
  EXPECT_TRUE(check_derivative([&](double s) { return Vector::Constant(1, bricks.energy(x + s * along)); },
                               Vector::Constant(1, g.dot(along)), {.step = 1e-2}));
  Vector product;
  bricks.hessian(x, Definiteness::none).multiply(along, product);
  EXPECT_TRUE(
      check_derivative([&](double s) { return bricks.gradient(x + s * along); }, product, {.step = 1e-2}));
}

TEST_P(HexSolidOf, FeelsNothingInRigidMotion) {
  const Bricks bricks(GetParam());
  const Mat3 turn = Eigen::AngleAxisd(1.1, Vec3(3, -1, 2).normalized()).toRotationMatrix();
  const Vector x = bricks.deformed(turn) + Vector::Constant(3 * std::ssize(bricks.mesh.vertices), 0.4);
  EXPECT_NEAR(bricks.energy(x), 0, 1e-9);
  EXPECT_LT(bricks.gradient(x).norm(), 1e-9);
}

TEST_P(HexSolidOf, HasTheEnergyAndForcesOfTetrahedraWhereTheDeformationIsEven) {
  const Bricks bricks(GetParam(), {2, 3, 3}), tets(GetParam(), {2, 3, 3}, false);
  const Vector x = bricks.deformed(some_deformation());
  EXPECT_NEAR(bricks.energy(x), tets.energy(x), 1e-10 * tets.energy(x));
  // Nothing pulls at inner vertices.
  const Vector g = bricks.gradient(x);
  const Surface surface = extract_surface(bricks.mesh);
  double inside = 0;
  int count = 0;
  for (int v = 0; v < std::ssize(bricks.mesh.vertices); ++v)
    if (std::find(surface.vertex_of.begin(), surface.vertex_of.end(), v) == surface.vertex_of.end()) {
      inside = std::max(inside, g.segment<3>(3 * Index{v}).norm());
      ++count;
    }
  EXPECT_EQ(count, 4);
  EXPECT_LT(inside, 1e-10 * g.norm());
}

TEST_P(HexSolidOf, MadeDefiniteHasNoNegativeEigenvalue) {
  const Bricks bricks(GetParam(), {1, 1, 1});
  const bool forbids_inversion = GetParam() == "neo-hookean" || GetParam() == "mooney-rivlin";
  Vector x =
      bricks.deformed(forbids_inversion ? Mat3(0.5 * Mat3::Identity()) : Mat3(Vec3(1, 1, -0.3).asDiagonal()));
  x += 0.02 * random_vector(x.size(), 6);
  const BlockMatrix H = bricks.hessian(x, Definiteness::clamp);
  Eigen::MatrixXd dense(x.size(), x.size());
  Vector column;
  for (Index d = 0; d < x.size(); ++d) {
    H.multiply(Vector::Unit(x.size(), d), column);
    dense.col(d) = column;
  }
  EXPECT_LT((dense - dense.transpose()).norm(), 1e-12 * dense.norm());
  const Vector values = testing::eigenvalues(dense);
  EXPECT_GE(values[0], -1e-12 * values[values.size() - 1]);
  EXPECT_GT(values[values.size() - 1], 0);
}

TEST(HexSolid, IsWeighedAsItsVolume) {
  const TetMesh box = make_box({.size = {2, 1, 0.5}, .cells = {3, 2, 2}, .hexahedra = true});
  EXPECT_EQ(box.element_count(), 12u);
  const std::vector<double> masses = lumped_masses(box, 1000);
  double sum = 0;
  for (const double mass : masses) sum += mass;
  EXPECT_NEAR(sum, 1000, 1e-9);
  EXPECT_NEAR(masses[0], 1000 / 12.0 / 8, 1e-9);  // a corner of one element
}

TEST(HexSolid, BendsNearlyAsABeamOfFineTetrahedraDoes) {
  // The energy of a bent bar: coarse bricks, which are too stiff, against tetrahedra four times as fine.
  const auto energy = [](int cells, bool hexahedra) {
    const TetMesh bar =
        make_box({.size = {2, 0.4, 0.4}, .cells = {5 * cells, cells, cells}, .hexahedra = hexahedra});
    const auto solid = make_solid("fixed-corotated", bar, 0, lame(1e5, 0.3));
    Vector x = positions(bar);
    for (Index i = 0; i < x.size(); i += 3) {
      const double s = x[i], y = x[i + 1];
      constexpr double kRadius = 4;
      x[i] = (kRadius - y) * std::sin(s / kRadius);
      x[i + 1] = kRadius - (kRadius - y) * std::cos(s / kRadius);
    }
    Vector energies(solid->contributions());
    solid->evaluate(x, {energies.data(), static_cast<size_t>(energies.size())}, nullptr);
    return energies.sum();
  };
  const double fine = energy(16, false);
  EXPECT_NEAR(energy(4, true), fine, 0.05 * fine);
}

}  // namespace
}  // namespace pliant::hex_solid_test
