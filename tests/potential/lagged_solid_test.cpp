// Corotated elasticity with rotations fixed at the start of the step.
#include "pliant/potential/lagged_solid.hpp"

#include "derivative_checker.hpp"
#include "meshes.hpp"
#include "pliant/mesh/box.hpp"
#include "pliant/potential/solid.hpp"

namespace pliant::lagged_solid_test {
namespace {

using testing::check_derivative;
using testing::positions;
using testing::random_vector;

struct Lagged {
  TetMesh mesh;
  std::unique_ptr<LaggedSolid> term;
  std::unique_ptr<Potential> corotated;
  BlockPattern pattern;
  Vector start;

  explicit Lagged(bool hexahedra) : mesh(make_box({.cells = {2, 1, 1}, .hexahedra = hexahedra})) {
    term = std::make_unique<LaggedSolid>(std::vector{make_lagged_corotated({mesh}, lame(1e3, 0.3))});
    corotated = make_solid("corotated", mesh, 0, lame(1e3, 0.3));
    std::vector<std::pair<int, int>> edges;
    term->add_pattern(edges);
    pattern = BlockPattern(static_cast<int>(mesh.vertices.size()), edges);
    term->attach(pattern);
    corotated->attach(pattern);
    start = positions(mesh);
    const Mat3 turn = Eigen::AngleAxisd(0.8, Vec3(1, 2, 2).normalized()).toRotationMatrix();
    for (Index i = 0; i < start.size(); i += 3) start.segment<3>(i) = turn * start.segment<3>(i);
    start += 0.05 * random_vector(start.size(), 1);
    Stage stage;
    stage.x_step = start;
    term->begin_stage(stage);
  }

  static double energy(const Potential& of, const Vector& x, Vector* gradient = nullptr) {
    Vector energies(of.contributions());
    of.evaluate(x, {energies.data(), static_cast<size_t>(energies.size())}, gradient);
    return energies.sum();
  }
  static Vector gradient(const Potential& of, const Vector& x) {
    Vector g = Vector::Zero(x.size());
    energy(of, x, &g);
    return g;
  }
  BlockMatrix hessian(const Potential& of, const Vector& x) const {
    BlockMatrix H(pattern);
    H.set_zero();
    of.add_hessian(x, Definiteness::none, H);
    return H;
  }
};

TEST(LaggedSolid, IsAQuadraticThatStartsAsTheCorotatedOneDoes) {
  for (const bool hexahedra : {false, true}) {
    const Lagged lagged(hexahedra);
    const Vector along = random_vector(lagged.start.size(), 2), there = lagged.start + 0.3 * along;
    const Vector at_start = Lagged::gradient(*lagged.corotated, lagged.start);
    EXPECT_LT((Lagged::gradient(*lagged.term, lagged.start) - at_start).norm(), 1e-12 * at_start.norm());
    EXPECT_NEAR(lagged.term->stored(there, 0), Lagged::energy(*lagged.corotated, there), 1e-12);
    const Vector g = Lagged::gradient(*lagged.term, there);
    EXPECT_TRUE(check_derivative(
        [&](double s) { return Vector::Constant(1, Lagged::energy(*lagged.term, there + s * along)); },
        Vector::Constant(1, g.dot(along)), {.step = 1e-2}));
    Vector product;
    lagged.hessian(*lagged.term, there).multiply(along, product);
    const Vector further = Lagged::gradient(*lagged.term, there + along);
    EXPECT_LT((further - g - product).norm(), 1e-12 * further.norm());
  }
}

TEST(LaggedSolid, IsLinearElasticityAroundItsRotation) {
  // Where the start is turned but not strained, the exact second derivative is that at fixed rotation.
  Lagged lagged(true);
  const Mat3 turn = Eigen::AngleAxisd(2, Vec3(3, -1, 2).normalized()).toRotationMatrix();
  Stage stage;
  stage.x_step = positions(lagged.mesh);
  for (Index i = 0; i < stage.x_step.size(); i += 3)
    stage.x_step.segment<3>(i) = turn * stage.x_step.segment<3>(i);
  lagged.term->begin_stage(stage);
  const Vector along = random_vector(lagged.start.size(), 3);
  Vector one, other;
  lagged.hessian(*lagged.term, stage.x_step).multiply(along, one);
  lagged.hessian(*lagged.corotated, stage.x_step).multiply(along, other);
  EXPECT_LT((one - other).norm(), 1e-10 * one.norm());
}

}  // namespace
}  // namespace pliant::lagged_solid_test
