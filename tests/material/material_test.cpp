#include <random>

#include "derivative_checker.hpp"
#include "pliant/material/fixed_corotated_kernel.hpp"
#include "pliant/material/lame.hpp"
#include "pliant/material/neo_hookean_kernel.hpp"
#include "pliant/material/st_venant_kirchhoff_kernel.hpp"
#include "pliant/material/stable_neo_hookean_kernel.hpp"

namespace pliant {
namespace {

using S = Small3<double>;
constexpr LameOf<double> kLame{3.0, 7.0};

template <class Material>
class Stretches : public ::testing::Test {
 protected:
  static constexpr bool kNeedsPositive = std::is_same_v<Material, NeoHookean>;

  /// Near rest, compressed, stretched, nearly flat, inverted, collapsed, far away.
  static std::vector<S> samples() {
    std::vector<S> all{{1.1, 1.0, 0.9}, {1.0, 1.0, 1.0001}, {0.5, 0.4, 0.3},
                       {30, 20, 10},    {2, 1, 1e-3},       {1.2, 1.2, 0.7}};
    if (!kNeedsPositive)
      for (const S& s :
           {S{1.1, 0.9, -0.8}, S{1.5, 1.0, 0.0}, S{2, 0, 0}, S{1e3, 1, -0.5}, S{0.01, 0.005, -0.002}})
        all.push_back(s);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(0.2, 3);
    for (int i = 0; i < 20; ++i) all.push_back({uniform(random), uniform(random), uniform(random)});
    return all;
  }

  static S moved(const S& s, const S& d, double t) {
    return {s[0] + t * d[0], s[1] + t * d[1], s[2] + t * d[2]};
  }
  static Vector vector(const S& s) { return Vec3(s[0], s[1], s[2]); }
  static double scale(const S& s) { return std::min({1.0, std::abs(s[0]) + 1e-3, std::abs(s[2]) + 1e-3}); }
};

using Materials = ::testing::Types<FixedCorotated, StVenantKirchhoff, NeoHookean, StableNeoHookean>;
TYPED_TEST_SUITE(Stretches, Materials);

TYPED_TEST(Stretches, GradientMatchesDifferencesOfEnergy) {
  const S direction{0.7, -0.4, 0.59};
  int skipped = 0;
  for (const S& s : this->samples()) {
    const S g = TypeParam::gradient(kLame, s);
    const Vector slope = Vector::Constant(1, dot(g, direction));
    if (std::abs(slope[0]) < 1e-6 && ++skipped) continue;  // too small beside the energy
    EXPECT_TRUE(testing::check_derivative(
        [&](double t) { return Vector::Constant(1, TypeParam::energy(kLame, this->moved(s, direction, t))); },
        slope, {.step = 0.1 * this->scale(s), .halvings = 20}))
        << s[0] << " " << s[1] << " " << s[2];
  }
  EXPECT_LE(skipped, 1);
}

TYPED_TEST(Stretches, HessianMatchesDifferencesOfGradient) {
  const S direction{0.3, 0.8, -0.52};
  for (const S& s : this->samples()) {
    const Symmetric33<double> A = TypeParam::hessian(kLame, s).A;
    const S slope{A.xx * direction[0] + A.xy * direction[1] + A.xz * direction[2],
                  A.xy * direction[0] + A.yy * direction[1] + A.yz * direction[2],
                  A.xz * direction[0] + A.yz * direction[1] + A.zz * direction[2]};
    EXPECT_TRUE(testing::check_derivative(
        [&](double t) { return this->vector(TypeParam::gradient(kLame, this->moved(s, direction, t))); },
        this->vector(slope), {.step = 0.1 * this->scale(s), .halvings = 20}))
        << s[0] << " " << s[1] << " " << s[2];
  }
}

TYPED_TEST(Stretches, PairQuotientsAreThoseOfTheGradient) {
  for (const S& s : this->samples()) {
    const S psi = TypeParam::gradient(kLame, s);
    const StretchHessian<double> h = TypeParam::hessian(kLame, s);
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      const double size = std::abs(psi[i]) + std::abs(psi[j]) + 1;
      if (std::abs(s[i] - s[j]) > 1e-2) {
        EXPECT_NEAR(h.symmetric[k], (psi[i] - psi[j]) / (s[i] - s[j]), 1e-9 * size / std::abs(s[i] - s[j]));
      }
      if (s[i] + s[j] > 1e-2) {
        EXPECT_NEAR(h.antisymmetric[k], (psi[i] + psi[j]) / (s[i] + s[j]), 1e-9 * size / (s[i] + s[j]));
      }
    }
  }
}

TYPED_TEST(Stretches, RestIsStressFreeWithZeroEnergy) {
  EXPECT_EQ(TypeParam::energy(kLame, S{1, 1, 1}), 0);
  const S g = TypeParam::gradient(kLame, S{1, 1, 1});
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(g[i], 0, 1e-14);
}

TYPED_TEST(Stretches, SmallStrainsSeeMuAndLambda) {
  // Linear elasticity: A = lambda everywhere plus 2 mu on the diagonal; both quotients of a pair act on
  // shear: 2 mu and 0.
  const StretchHessian<double> h = TypeParam::hessian(kLame, S{1, 1, 1});
  for (const double diagonal : {h.A.xx, h.A.yy, h.A.zz})
    EXPECT_NEAR(diagonal, kLame.lambda + 2 * kLame.mu, 1e-12);
  for (const double mixed : {h.A.xy, h.A.xz, h.A.yz}) EXPECT_NEAR(mixed, kLame.lambda, 1e-12);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(h.symmetric[k], 2 * kLame.mu, 1e-12);
    EXPECT_NEAR(h.antisymmetric[k], 0, 1e-12);
  }
}

TYPED_TEST(Stretches, DerivativesAreFiniteOnFlatInvertedAndCollapsedElements) {
  for (const S& s : {S{1, 1, 1e-9}, S{1, 1, 0}, S{1, 0, 0}, S{0, 0, 0}, S{1, 1, -1}, S{1, 0.5, -0.5}}) {
    const S g = TypeParam::gradient(kLame, s);
    const auto [A, symmetric, antisymmetric] = TypeParam::hessian(kLame, s);
    for (int k = 0; k < 3; ++k)
      for (const double number : {g[k], symmetric[k], antisymmetric[k]})
        EXPECT_TRUE(std::isfinite(number)) << s[0] << " " << s[1] << " " << s[2];
    for (const double entry : {A.xx, A.xy, A.xz, A.yy, A.yz, A.zz})
      EXPECT_TRUE(std::isfinite(entry)) << s[0] << " " << s[1] << " " << s[2];
    EXPECT_FALSE(std::isnan(TypeParam::energy(kLame, s)));
  }
}

TEST(NeoHookean, GrowsWithoutBoundWhileAnElementFlattens) {
  double before = NeoHookean::energy(kLame, S{1, 1, 0.5});
  for (const double flat : {1e-3, 1e-9, 1e-30, 1e-200}) {
    const double psi = NeoHookean::energy(kLame, S{1, 1, flat});
    EXPECT_TRUE(std::isfinite(psi) && psi > before) << flat;
    EXPECT_LT(NeoHookean::gradient(kLame, S{1, 1, flat})[2], 0) << flat;
    before = psi;
  }
}

TEST(NeoHookean, IsInfiniteWhereAnElementIsFlatOrInverted) {
  EXPECT_TRUE(std::isinf(NeoHookean::energy(kLame, S{1, 1, 0})));
  EXPECT_TRUE(std::isinf(NeoHookean::energy(kLame, S{1, 1, -0.1})));
  EXPECT_TRUE(std::isinf(NeoHookean::energy(kLame, S{0, 0, 0})));
}

TEST(Lame, FollowsFromYoungAndPoisson) {
  // Rubber-like: mu = E / 2(1 + nu), and the bulk modulus lambda + 2/3 mu = E / 3(1 - 2 nu).
  const Lame l = lame(1e5, 0.45);
  EXPECT_NEAR(l.mu, 1e5 / 2.9, 1e-9);
  EXPECT_NEAR(l.lambda + 2 * l.mu / 3, 1e5 / (3 * 0.1), 1e-6);
}

}  // namespace
}  // namespace pliant
