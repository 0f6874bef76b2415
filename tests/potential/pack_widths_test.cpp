// The library works on packs as wide as the machine's; doubles one by one give the same bits, and so do
// pairs.
#include "meshes.hpp"
#include "pliant/kernel/corotated.hpp"
#include "pliant/kernel/extrapolated_neo_hookean.hpp"
#include "pliant/kernel/fixed_corotated.hpp"
#include "pliant/kernel/mooney_rivlin.hpp"
#include "pliant/kernel/neo_hookean.hpp"
#include "pliant/kernel/stable_neo_hookean.hpp"
#include "pliant/material/mooney_rivlin.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant::pack_widths_test {
namespace {

/// A material, and what the library calls it.
template <class M, const char* kName>
struct Named {
  using Material = M;
  static std::unique_ptr<Potential> by_the_library(const TetMesh& mesh, const Lame& lame) {
    return make_solid(kName, mesh, 0, lame);
  }
};

template <class Named>
class PackWidths : public ::testing::Test {
 protected:
  using Material = typename Named::Material;
  static constexpr bool kIsMooneyRivlin = std::is_same_v<Material, MooneyRivlin>;

  TetMesh mesh = testing::cube(3);  // 135 elements: the last pack is padded
  Lame moduli = lame(1e3, 0.3);
  Vector x;

  void SetUp() override {
    x = testing::random_vector(3 * std::ssize(mesh.vertices), 19);  // tangled
    if (std::is_same_v<Material, NeoHookean> || kIsMooneyRivlin) x = testing::positions(mesh) + 0.02 * x;
  }

  template <class T>
  std::unique_ptr<Potential> of() const {
    Lame own = moduli;
    double scale = 1;
    if (kIsMooneyRivlin) {  // c10 and c01, in units of the bulk modulus
      scale = moduli.lambda + 2.0 / 3.0 * moduli.mu;
      const double c01 = 0.5 * moduli.mu * MooneyRivlinShare().c01_share;
      own = {(0.5 * moduli.mu - c01) / scale, c01 / scale};
    }
    SolidFunctions functions;
    functions.tets = element_functions<TetSolid<Material>, T, T>();
    return make_elements(functions, {mesh}, own, scale);
  }

  /// Energies with and without a gradient, this and products with the Hessian and with the projected one.
  std::vector<Vector> numbers_of(Potential& solid) const {
    std::vector<std::pair<int, int>> edges;
    solid.add_pattern(edges);
    const BlockPattern pattern(static_cast<int>(mesh.vertices.size()), edges);
    solid.attach(pattern);
    Vector alone(solid.contributions()), energies(solid.contributions()), product, projected;
    Vector gradient = Vector::Zero(x.size());
    const auto all = [](Vector& v) { return std::span(v.data(), static_cast<size_t>(v.size())); };
    solid.evaluate(x, all(alone), nullptr);
    solid.evaluate(x, all(energies), &gradient);
    BlockMatrix H(pattern);
    solid.add_hessian(x, Definiteness::none, H);
    H.multiply(x, product);
    H.set_zero();
    solid.add_hessian(x, Definiteness::clamp, H);
    H.multiply(x, projected);
    return {alone, energies, gradient, product, projected};
  }
};

constexpr char kFixedCorotated[] = "fixed-corotated";
constexpr char kCorotated[] = "corotated";
constexpr char kExtrapolatedNeoHookean[] = "extrapolated-neo-hookean";
constexpr char kMooneyRivlin[] = "mooney-rivlin";
constexpr char kNeoHookean[] = "neo-hookean";
constexpr char kStableNeoHookean[] = "stable-neo-hookean";

/// One for each kind of arithmetic: stretches alone, exponentials, logarithms, cube roots, no stretches.
using Materials = ::testing::Types<Named<FixedCorotated, kFixedCorotated>, Named<Corotated, kCorotated>,
                                   Named<ExtrapolatedNeoHookean, kExtrapolatedNeoHookean>,
                                   Named<MooneyRivlin, kMooneyRivlin>, Named<NeoHookean, kNeoHookean>,
                                   Named<StableNeoHookean, kStableNeoHookean>>;
TYPED_TEST_SUITE(PackWidths, Materials);

TYPED_TEST(PackWidths, HaveTheBitsOfPlainDoubles) {
  const std::vector<Vector> scalar = this->numbers_of(*this->template of<double>());
  for (const Vector& numbers : scalar) EXPECT_TRUE(numbers.allFinite() && numbers.squaredNorm() > 0);
  EXPECT_EQ(this->numbers_of(*this->template of<PackOf<2>>()), scalar);
  EXPECT_EQ(this->numbers_of(*TypeParam::by_the_library(this->mesh, this->moduli)), scalar);
}

}  // namespace
}  // namespace pliant::pack_widths_test
