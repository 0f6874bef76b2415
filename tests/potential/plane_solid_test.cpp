// Triangles in plane strain: the tetrahedral solid of the same material is what they are measured by.
#include <Eigen/LU>

#include "derivative_checker.hpp"
#include "meshes.hpp"
#include "pliant/mesh/rectangle.hpp"
#include "pliant/potential/solid.hpp"
#include "test_names.hpp"

namespace pliant::plane_solid_test {
namespace {

using testing::positions;
using testing::random_vector;

const Lame kLame = lame(1e3, 0.3);

Vector energies(const Potential& potential, const Vector& x, Vector* gradient = nullptr) {
  Vector result(potential.contributions());
  potential.evaluate(x, {result.data(), static_cast<size_t>(result.size())}, gradient);
  return result;
}

Vector gradient_of(const Potential& potential, const Vector& x) {
  Vector g = Vector::Zero(x.size());
  energies(potential, x, &g);
  return g;
}

Vector mapped(const TetMesh& mesh, const Mat3& F) {
  Vector x = positions(mesh);
  for (Index i = 0; i < x.size(); i += 3) x.segment<3>(i) = Vec3(F * x.segment<3>(i));
  return x;
}

/// In-plane deformations: a stretch with shear, and one turned inside out.
std::vector<Mat3> deformations() {
  Mat3 sheared = Mat3::Identity(), inverted = Mat3::Identity();
  sheared.topLeftCorner<2, 2>() << 1.3, 0.4, -0.2, 0.7;
  inverted.topLeftCorner<2, 2>() << 0.2, 1.4, 0.9, 0.1;
  return {sheared, inverted};
}

class PlaneSolidOf : public ::testing::TestWithParam<std::string_view> {};

TEST_P(PlaneSolidOf, HasTheEnergyOfABlockThatKeepsItsThickness) {
  const Vec3 size(2, 1, 0.3);
  const TetMesh sheet = make_rectangle({size, {3, 2}}), block = make_box({size, {3, 2, 1}, 5});
  const auto plane = make_solid(GetParam(), sheet, 0, kLame), solid = make_solid(GetParam(), block, 0, kLame);
  for (const Mat3& F : deformations()) {
    const double expected = energies(*solid, mapped(block, F)).sum();
    if (!std::isfinite(expected)) {
      EXPECT_FALSE(std::isfinite(energies(*plane, mapped(sheet, F)).sum()));
      continue;
    }
    EXPECT_NEAR(energies(*plane, mapped(sheet, F)).sum(), expected, 1e-12 * expected);
  }
}

TEST_P(PlaneSolidOf, DerivativesMatchDifferencesAlsoInsideOut) {
  const TetMesh sheet = make_rectangle({Vec3(2, 1, 0.3), {3, 2}});
  const auto plane = make_solid(GetParam(), sheet, 0, kLame);
  std::vector<std::pair<int, int>> edges;
  plane->add_pattern(edges);
  const BlockPattern pattern(static_cast<int>(sheet.vertices.size()), edges);
  plane->attach(pattern);
  int checked = 0;
  for (const Mat3& F : deformations()) {
    Vector x = mapped(sheet, F), d = random_vector(x.size(), 5);
    for (Index i = 0; i < x.size(); i += 3) d[i + 2] = 0;
    x += 0.02 * d;
    d = random_vector(x.size(), 6);
    for (Index i = 0; i < x.size(); i += 3) d[i + 2] = 0;
    if (!energies(*plane, x).allFinite()) continue;
    ++checked;
    const auto value = [&](double t) { return Vector::Constant(1, energies(*plane, x + t * d).sum()); };
    EXPECT_TRUE(testing::check_derivative(value, Vector::Constant(1, gradient_of(*plane, x).dot(d)),
                                          {.step = 1e-2, .tolerance = 1e-5}));
    BlockMatrix H(pattern);
    plane->add_hessian(x, Definiteness::none, H);
    Vector slope;
    H.multiply(d, slope);
    EXPECT_TRUE(testing::check_derivative([&](double t) { return gradient_of(*plane, x + t * d); }, slope,
                                          {.step = 1e-2, .tolerance = 1e-5}));
  }
  const bool forbids_inversion = GetParam() == "neo-hookean" || GetParam() == "mooney-rivlin";
  EXPECT_EQ(checked, forbids_inversion ? 1 : 2);
}

INSTANTIATE_TEST_SUITE_P(All, PlaneSolidOf,
                         ::testing::Values("fixed-corotated", "st-venant-kirchhoff", "neo-hookean",
                                           "stable-neo-hookean", "extrapolated-neo-hookean", "mooney-rivlin",
                                           "corotated", "as-rigid-as-possible"),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param); });

}  // namespace
}  // namespace pliant::plane_solid_test
