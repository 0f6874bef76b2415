#include <random>

#include "derivative_checker.hpp"
#include "pliant/kernel/as_rigid_as_possible.hpp"
#include "pliant/kernel/corotated.hpp"
#include "pliant/kernel/extrapolated_neo_hookean.hpp"
#include "pliant/kernel/fixed_corotated.hpp"
#include "pliant/kernel/mooney_rivlin.hpp"
#include "pliant/kernel/neo_hookean.hpp"
#include "pliant/kernel/st_venant_kirchhoff.hpp"
#include "pliant/kernel/stable_neo_hookean.hpp"
#include "pliant/material/lame.hpp"

namespace pliant::material_test {
namespace {

using S = Small3<double>;
constexpr LameOf<double> kLame{3.0, 7.0};

/// What a material is given, and what small strains see of it.
template <class Material>
struct Moduli {
  static constexpr LameOf<double> given = kLame, seen = kLame;
};
template <>
struct Moduli<AsRigidAsPossible> {
  static constexpr LameOf<double> given = kLame, seen{kLame.mu, 0};
};
template <>
struct Moduli<MooneyRivlin> {
  // c10 and c01 in units of the bulk modulus lambda + 2/3 mu; mu = 2 (c10 + c01)
  static constexpr LameOf<double> given{0.3, 0.1}, seen{0.8, 1 - 2.0 / 3 * 0.8};
};

template <class Material>
class Stretches : public ::testing::Test {
 protected:
  static constexpr bool kNeedsPositive =
      std::is_same_v<Material, NeoHookean> || std::is_same_v<Material, MooneyRivlin>;
  static constexpr LameOf<double> kGiven = Moduli<Material>::given;

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
  /// The length over which the energy changes.
  static double scale(const S& s) {
    const double least =
        std::is_same_v<Material, ExtrapolatedNeoHookean> ? ExtrapolatedNeoHookean::kLimit : 1e-3;
    return std::min({1.0, std::abs(s[0]) + least, std::abs(s[2]) + least});
  }
};

using Materials = ::testing::Types<FixedCorotated, StVenantKirchhoff, NeoHookean, StableNeoHookean,
                                   ExtrapolatedNeoHookean, MooneyRivlin, Corotated, AsRigidAsPossible>;
TYPED_TEST_SUITE(Stretches, Materials);

TYPED_TEST(Stretches, GradientMatchesDifferencesOfEnergy) {
  const S direction{0.7, -0.4, 0.59};
  int skipped = 0;
  for (const S& s : this->samples()) {
    const S g = TypeParam().gradient(this->kGiven, s);
    const Vector slope = Vector::Constant(1, dot(g, direction));
    if (std::abs(slope[0]) < 1e-6 && ++skipped) continue;  // too small beside the energy
    EXPECT_TRUE(testing::check_derivative(
        [&](double t) {
          return Vector::Constant(1, TypeParam().energy(this->kGiven, this->moved(s, direction, t)));
        },
        slope, {.step = 0.1 * this->scale(s), .halvings = 20}))
        << s[0] << " " << s[1] << " " << s[2];
  }
  EXPECT_LE(skipped, 1);
}

TYPED_TEST(Stretches, HessianMatchesDifferencesOfGradient) {
  const S direction{0.3, 0.8, -0.52};
  for (const S& s : this->samples()) {
    const Symmetric33<double> A = TypeParam().hessian(this->kGiven, s).A;
    const S slope{A.xx * direction[0] + A.xy * direction[1] + A.xz * direction[2],
                  A.xy * direction[0] + A.yy * direction[1] + A.yz * direction[2],
                  A.xz * direction[0] + A.yz * direction[1] + A.zz * direction[2]};
    EXPECT_TRUE(testing::check_derivative(
        [&](double t) {
          return this->vector(TypeParam().gradient(this->kGiven, this->moved(s, direction, t)));
        },
        this->vector(slope), {.step = 0.1 * this->scale(s), .halvings = 20}))
        << s[0] << " " << s[1] << " " << s[2];
  }
}

TYPED_TEST(Stretches, PairQuotientsAreThoseOfTheGradient) {
  for (const S& s : this->samples()) {
    const S psi = TypeParam().gradient(this->kGiven, s);
    const StretchHessian<double> h = TypeParam().hessian(this->kGiven, s);
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
  EXPECT_EQ(TypeParam().energy(this->kGiven, S{1, 1, 1}), 0);
  const S g = TypeParam().gradient(this->kGiven, S{1, 1, 1});
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(g[i], 0, 1e-14);
}

TYPED_TEST(Stretches, SmallStrainsSeeMuAndLambda) {
  // Linear elasticity: A = lambda everywhere plus 2 mu on the diagonal; both quotients of a pair act on
  // shear: 2 mu and 0.
  const StretchHessian<double> h = TypeParam().hessian(this->kGiven, S{1, 1, 1});
  const auto [mu, lambda] = Moduli<TypeParam>::seen;
  for (const double diagonal : {h.A.xx, h.A.yy, h.A.zz}) EXPECT_NEAR(diagonal, lambda + 2 * mu, 1e-12);
  for (const double mixed : {h.A.xy, h.A.xz, h.A.yz}) EXPECT_NEAR(mixed, lambda, 1e-12);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(h.symmetric[k], 2 * mu, 1e-12);
    EXPECT_NEAR(h.antisymmetric[k], 0, 1e-12);
  }
}

TYPED_TEST(Stretches, TinyStrainsKeepTheirDigits) {
  // At rest a strain of 1e-7 has an energy of 1e-14, which must not be the difference of numbers near one.
  const auto [mu, lambda] = Moduli<TypeParam>::seen;
  const double a = 0x1p-23, b = -0x1p-24, c = 0x1p-25;  // exact
  const double linear = mu * (a * a + b * b + c * c) + lambda / 2 * std::pow(a + b + c, 2);
  EXPECT_NEAR(TypeParam().energy(this->kGiven, S{1 + a, 1 + b, 1 + c}), linear, 1e-6 * linear);
  EXPECT_NEAR(TypeParam().gradient(this->kGiven, S{1 + a, 1 + b, 1 + c})[1],
              2 * mu * b + lambda * (a + b + c), 1e-6 * mu * a);
}

TYPED_TEST(Stretches, DerivativesAreFiniteOnFlatInvertedAndCollapsedElements) {
  for (const S& s : {S{1, 1, 1e-9}, S{1, 1, 0}, S{1, 0, 0}, S{0, 0, 0}, S{1, 1, -1}, S{1, 0.5, -0.5}}) {
    const S g = TypeParam().gradient(this->kGiven, s);
    const auto [A, symmetric, antisymmetric] = TypeParam().hessian(this->kGiven, s);
    for (int k = 0; k < 3; ++k)
      for (const double number : {g[k], symmetric[k], antisymmetric[k]})
        EXPECT_TRUE(std::isfinite(number)) << s[0] << " " << s[1] << " " << s[2];
    for (const double entry : {A.xx, A.xy, A.xz, A.yy, A.yz, A.zz})
      EXPECT_TRUE(std::isfinite(entry)) << s[0] << " " << s[1] << " " << s[2];
    EXPECT_FALSE(std::isnan(TypeParam().energy(this->kGiven, s)));
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

TEST(MooneyRivlin, IsInfiniteWhereAnElementIsFlatOrInverted) {
  for (const S& s : {S{1, 1, 0}, S{1, 1, -0.1}, S{0, 0, 0}})
    EXPECT_TRUE(std::isinf(MooneyRivlin::energy({0.3, 0.1}, s)));
}

TEST(MooneyRivlin, IsItsFormulaFarFromRest) {
  const double c10 = 0.3, c01 = 0.1, x = 2, y = 0.7, z = 0.4, J = x * y * z;
  const double I = x * x + y * y + z * z,
               II = (I * I - (std::pow(x, 4) + std::pow(y, 4) + std::pow(z, 4))) / 2;
  EXPECT_NEAR(
      MooneyRivlin::energy({c10, c01}, S{x, y, z}),
      c10 * (I * std::pow(J, -2.0 / 3) - 3) + c01 * (II * std::pow(J, -4.0 / 3) - 3) + std::pow(J - 1, 2) / 2,
      1e-13);
}

TEST(MooneyRivlin, ChangingVolumeAloneCostsThePressureTermAlone) {
  EXPECT_NEAR(MooneyRivlin::energy({0.3, 0.1}, S{1.5, 1.5, 1.5}), std::pow(1.5 * 1.5 * 1.5 - 1, 2) / 2,
              1e-14);
}

TEST(ExtrapolatedNeoHookean, IsNeoHookeanDownToTheLimit) {
  constexpr double kLimit = ExtrapolatedNeoHookean::kLimit;
  for (const S& s : {S{1.3, 1, 0.8}, S{5, 1, kLimit}, S{1.2, 0.9, 0.25}, S{30, 20, 10}}) {
    const double psi = NeoHookean::energy(kLame, s);
    EXPECT_NEAR(ExtrapolatedNeoHookean::energy(kLame, s), psi, 1e-14 * psi);
    const S g = ExtrapolatedNeoHookean::gradient(kLame, s), expected = NeoHookean::gradient(kLame, s);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(g[i], expected[i], 1e-13 * std::abs(expected[2]));
  }
}

TEST(ExtrapolatedNeoHookean, CrossesTheLimitsWithTwoContinuousDerivatives) {
  constexpr double kLimit = ExtrapolatedNeoHookean::kLimit;
  const auto all = [](const S& s, double factor) {
    const S scaled{factor * s[0], factor * s[1], factor * s[2]};
    const S g = ExtrapolatedNeoHookean::gradient(kLame, scaled);
    const auto [A, symmetric, antisymmetric] = ExtrapolatedNeoHookean::hessian(kLame, scaled);
    Vector numbers(16);
    numbers << ExtrapolatedNeoHookean::energy(kLame, scaled), g[0], g[1], g[2], A.xx, A.xy, A.xz, A.yy, A.yz,
        A.zz, symmetric[0], symmetric[1], symmetric[2], antisymmetric[0], antisymmetric[1], antisymmetric[2];
    return numbers;
  };
  // The limit of one stretch, of all of them, and of the volume; none coincides with another.
  for (const S& s : {S{9, 1, kLimit}, S{kLimit, kLimit, kLimit}, S{0.8, 0.5, kLimit / 0.4}}) {
    const auto jump = [&](double d) { return Vector(all(s, 1 + d) - all(s, 1 - d)); };
    const Vector far = jump(1e-4), near = jump(1e-6);
    for (Index i = 0; i < far.size(); ++i)
      EXPECT_NEAR(near[i], 0.01 * far[i], 1e-3 * std::abs(far[i]) + 1e-9) << i;
  }
}

TEST(ExtrapolatedNeoHookean, QuotientOfAPairAcrossTheLimitIsSmoothWhereTheyMeet) {
  // Both stretches close to the limit, on either side, next to the case where they coincide there.
  constexpr double kLimit = ExtrapolatedNeoHookean::kLimit;
  const double met = ExtrapolatedNeoHookean::hessian(kLame, S{2, kLimit, kLimit}).symmetric[0];
  for (const double d : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15}) {
    const double apart = ExtrapolatedNeoHookean::hessian(kLame, S{2, kLimit + d, kLimit - d}).symmetric[0];
    EXPECT_NEAR(apart, met, (20 * d + 1e-13) * met) << d;
  }
}

TEST(ExtrapolatedNeoHookean, PushesTheSmallestStretchOfAnyFlatOrInvertedElementUp) {
  for (const double wide : {1e-6, 0.1, 1.0, 4.0, 100.0})
    for (const double narrow : {0.5, 1.0})
      for (const double share : {0.0, -1e-3, -0.1, -0.5, -1.0}) {
        const S s{wide, narrow * wide, share * narrow * wide};
        EXPECT_LT(ExtrapolatedNeoHookean::gradient(kLame, s)[2], 0) << s[0] << " " << s[1] << " " << s[2];
      }
  const S collapsed = ExtrapolatedNeoHookean::gradient(kLame, S{0, 0, 0});
  for (int i = 0; i < 3; ++i) EXPECT_LT(collapsed[i], 0);
}

TEST(Corotated, IsItsFormulaWherePairsAreApart) {
  for (const S& s : {S{1.3, 1, 0.8}, S{3, 2, -1.5}, S{0.4, 0.3, 0.2}}) {
    const double trace = s[0] + s[1] + s[2] - 3;
    double squares = 0;
    for (int i = 0; i < 3; ++i) squares += (s[i] - 1) * (s[i] - 1);
    const double psi = kLame.mu * squares + kLame.lambda / 2 * trace * trace;
    EXPECT_NEAR(Corotated::energy(kLame, s), psi, 1e-15 * psi);
  }
}

TEST(Corotated, HasNoValleyWithAKinkWhereAPairSumsToZero) {
  // Stretched along one axis: the pressure alone holds the two others at opposite stretches. Its part of the
  // stress must pass through zero there, not jump.
  const auto pressure = [](const S& s) {
    const S g = Corotated::gradient({0, kLame.lambda}, s);
    return Vec3(g[0], g[1], g[2]);
  };
  const Vec3 met = pressure(S{5, 0.5, -0.5});
  EXPECT_GT(met[0], kLame.lambda);
  EXPECT_LT(std::abs(met[1]) + std::abs(met[2]), 1e-12 * met[0]);
  EXPECT_GT(pressure(S{5, 0.5, -0.4})[1], kLame.lambda);
  // Where all three meet: the mirrored element, stretched.
  EXPECT_LT(pressure(S{4, 4, -4}).cross(Vec3(1, 1, -1)).norm(), 1e-12 * met[0]);
}

TEST(Corotated, PushesAFlatOrCollapsedElementOpen) {
  for (const S& s : {S{1, 0, 0}, S{0, 0, 0}, S{1, 1, 0}})
    EXPECT_LT(Corotated::gradient(kLame, s)[2], -kLame.mu) << s[0] << " " << s[1] << " " << s[2];
}

TEST(Lame, FollowsFromYoungAndPoisson) {
  // Rubber-like: mu = E / 2(1 + nu), and the bulk modulus lambda + 2/3 mu = E / 3(1 - 2 nu).
  const Lame l = lame(1e5, 0.45);
  EXPECT_NEAR(l.mu, 1e5 / 2.9, 1e-9);
  EXPECT_NEAR(l.lambda + 2 * l.mu / 3, 1e5 / (3 * 0.1), 1e-6);
}

}  // namespace
}  // namespace pliant::material_test
