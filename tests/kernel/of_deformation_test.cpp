// Materials that can be written in F itself say the same there as in the stretches of F.
#include <Eigen/Geometry>

#include "pliant/base/types.hpp"
#include "pliant/kernel/neo_hookean.hpp"
#include "pliant/kernel/stable_neo_hookean.hpp"

namespace pliant::of_deformation_test {
namespace {

constexpr LameOf<double> kModuli{3.0, 7.0};

template <class Material>
class OfDeformation : public ::testing::Test {
 protected:
  /// F = U S V^T with some turns.
  static Small33<double> turned(const Vec3& stretches, const Mat3& U, const Mat3& V) {
    const Mat3 F = U * stretches.asDiagonal() * V.transpose();
    Small33<double> small;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) small(i, j) = F(i, j);
    return small;
  }
  const Mat3 U_ = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const Mat3 V_ = Eigen::AngleAxisd(-1.9, Vec3(0, 1, 3).normalized()).toRotationMatrix();
  std::vector<Vec3> stretches() const {
    std::vector<Vec3> all{{1, 1, 1}, {1.1, 1, 0.9}, {2, 0.7, 0.3}, {30, 5, 0.1}};
    if (std::is_same_v<Material, StableNeoHookean>)
      for (const Vec3& s : {Vec3(1.2, 1, -0.8), Vec3(1, 0.5, 0), Vec3(0, 0, 0)}) all.push_back(s);
    return all;
  }
};

using Direct = ::testing::Types<NeoHookean, StableNeoHookean>;
TYPED_TEST_SUITE(OfDeformation, Direct);

TYPED_TEST(OfDeformation, HasTheEnergyOfItsStretchesToTheRoundoffItOwnsUpTo) {
  for (const Vec3& s : this->stretches()) {
    const typename TypeParam::template OfDeformation<double> direct(kModuli,
                                                                    this->turned(s, this->U_, this->V_));
    const double expected = TypeParam::energy(kModuli, Small3<double>{s[0], s[1], s[2]});
    EXPECT_NEAR(direct.energy(), expected, 4 * TypeParam::kRoundoff * kModuli.mu + 1e-14 * expected)
        << s.transpose();
  }
}

TYPED_TEST(OfDeformation, HasTheStressOfItsStretches) {
  for (const Vec3& s : this->stretches()) {
    const typename TypeParam::template OfDeformation<double> direct(kModuli,
                                                                    this->turned(s, this->U_, this->V_));
    const auto g = TypeParam::gradient(kModuli, Small3<double>{s[0], s[1], s[2]});
    const Mat3 expected = this->U_ * Vec3(g[0], g[1], g[2]).asDiagonal() * this->V_.transpose();
    const Small33<double> P = direct.stress();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        EXPECT_NEAR(P(i, j), expected(i, j), 1e-13 * (kModuli.mu + expected.norm())) << s.transpose();
  }
}

TYPED_TEST(OfDeformation, HasBlocksThatAreTheDerivativeOfItsStress) {
  const Small3<double> a{0.3, -1, 0.5}, b{1, 0.2, -0.4};
  for (const Vec3& s : this->stretches()) {
    // Too close to the wall for differences.
    if (std::is_same_v<TypeParam, NeoHookean> && s.minCoeff() < 0.2) continue;
    const Small33<double> F = this->turned(s, this->U_, this->V_);
    const typename TypeParam::template OfDeformation<double> direct(kModuli, F);
    const Small33<double> block = direct.block(2.0, direct.side(a), direct.side(b));
    for (int j = 0; j < 3; ++j) {
      constexpr double kStep = 1e-6;
      Small33<double> P[2];
      for (int side = 0; side < 2; ++side) {
        Small33<double> moved = F;  // F + e_j b^T
        for (int k = 0; k < 3; ++k) moved(j, k) = F(j, k) + (side == 0 ? -kStep : kStep) * b[k];
        P[side] = typename TypeParam::template OfDeformation<double>(kModuli, moved).stress();
      }
      for (int i = 0; i < 3; ++i) {
        double difference = 0;
        for (int k = 0; k < 3; ++k) difference += 2.0 * a[k] * (P[1](i, k) - P[0](i, k)) / (2 * kStep);
        EXPECT_NEAR(block(i, j), difference, 1e-7 * (kModuli.mu + std::abs(difference))) << s.transpose();
      }
    }
  }
}

}  // namespace
}  // namespace pliant::of_deformation_test
