#include "meshes.hpp"
#include "pliant/kernel/corotated.hpp"
#include "pliant/kernel/extrapolated_neo_hookean.hpp"
#include "pliant/kernel/fixed_corotated.hpp"
#include "pliant/kernel/mooney_rivlin.hpp"
#include "pliant/kernel/neo_hookean.hpp"
#include "pliant/kernel/stable_neo_hookean.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant::pack_widths_test {
namespace {

template <class Material>
class PackWidths : public ::testing::Test {
 protected:
  TetMesh mesh = testing::cube(3);  // 135 elements: the last pack is padded
  Vector x;

  void SetUp() override {
    x = testing::random_vector(3 * std::ssize(mesh.vertices), 19);  // tangled
    if (std::is_same_v<Material, NeoHookean> || std::is_same_v<Material, MooneyRivlin>)
      x = testing::positions(mesh) + 0.02 * x;
  }

  /// Energies, gradient and products with the Hessian and with the projected one.
  template <class T>
  std::tuple<Vector, Vector, Vector, Vector> with() const {
    const auto solid =
        make_elements({.tets = element_functions<TetSolid<Material>, T, T>()}, mesh, 0, lame(1e3, 0.3), 1);
    std::vector<std::pair<int, int>> edges;
    solid->add_pattern(edges);
    const BlockPattern pattern(static_cast<int>(mesh.vertices.size()), edges);
    solid->attach(pattern);
    Vector energies(solid->contributions()), gradient = Vector::Zero(x.size()), product, projected;
    solid->evaluate(x, {energies.data(), static_cast<size_t>(energies.size())}, &gradient);
    BlockMatrix H(pattern);
    solid->add_hessian(x, Definiteness::none, H);
    H.multiply(x, product);
    H.set_zero();
    solid->add_hessian(x, Definiteness::clamp, H);
    H.multiply(x, projected);
    return {energies, gradient, product, projected};
  }
};

/// One for each kind of arithmetic: stretches alone, exponentials, logarithms, cube roots, no stretches.
using Materials = ::testing::Types<FixedCorotated, Corotated, ExtrapolatedNeoHookean, MooneyRivlin,
                                   NeoHookean, StableNeoHookean>;
TYPED_TEST_SUITE(PackWidths, Materials);

TYPED_TEST(PackWidths, HaveTheBitsOfPlainDoubles) {
  const auto scalar = this->template with<double>();
  EXPECT_TRUE(std::get<0>(scalar).allFinite());
  EXPECT_EQ(this->template with<PackOf<2>>(), scalar);
  EXPECT_EQ(this->template with<Pack>(), scalar);
}

}  // namespace
}  // namespace pliant::pack_widths_test
