#include "pliant/kernel/svd.hpp"

#include <random>

#include "dense.hpp"
#include "pliant/base/pack.hpp"
#include "pliant/base/types.hpp"

namespace pliant::svd_test {
namespace {

using M = Small33<double>;

Mat3 dense(const M& m) {
  Mat3 d;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) d(i, j) = m(i, j);
  return d;
}

M small(const Mat3& d) {
  M m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m(i, j) = d(i, j);
  return m;
}

/// Random, rank one and two, zero, nearly equal stretches, inverted, and of very different sizes.
std::vector<Mat3> hard_matrices() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto any = [&] { return Mat3(Mat3::NullaryExpr([&](auto, auto) { return uniform(random); })); };
  std::vector<Mat3> all{Mat3::Zero(), Mat3::Identity(), -Mat3::Identity(), Mat3::Ones()};
  for (int i = 0; i < 200; ++i) {
    const Mat3 A = any();
    const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const auto with = [&](double a, double b, double c) {
      return Mat3(svd.matrixU() * Vec3(a, b, c).asDiagonal() * svd.matrixV().transpose());
    };
    for (const Mat3& m : {A, Mat3(-A), with(1, 1, 1), with(1, 1, -1), with(2, 1, 0), with(3, 0, 0),
                          with(1, 1 + 1e-9, 1 - 1e-9), with(1e8, 1, 1e-8), with(1, 1e-14, 1e-15),
                          Mat3(1e-200 * A), Mat3(1e150 * A)})
      all.push_back(m);
  }
  return all;
}

TEST(Svd, ReconstructsHardMatricesToRoundoff) {
  for (const Mat3& F : hard_matrices()) {
    const Svd<double> s = svd(small(F));
    const Mat3 U = dense(s.U), V = dense(s.V);
    const Vec3 sigma(s.sigma[0], s.sigma[1], s.sigma[2]);
    const double largest = std::max(F.cwiseAbs().maxCoeff(), 1e-300);
    EXPECT_LT((U * sigma.asDiagonal() * V.transpose() - F).cwiseAbs().maxCoeff() / largest, 4e-15) << F;
    EXPECT_LT((U.transpose() * U - Mat3::Identity()).norm(), 4e-15) << F;
    EXPECT_LT((V.transpose() * V - Mat3::Identity()).norm(), 4e-15) << F;
  }
}

TEST(Svd, GivesRotationsAndOrderedSignedStretches) {
  for (const Mat3& F : hard_matrices()) {
    const Svd<double> s = svd(small(F));
    EXPECT_GT(dense(s.U).determinant(), 0.5);
    EXPECT_GT(dense(s.V).determinant(), 0.5);
    const double slack = 1e-15 * std::abs(s.sigma[0]);
    EXPECT_GE(s.sigma[0], s.sigma[1] - slack);
    EXPECT_GE(s.sigma[1], std::abs(s.sigma[2]) - slack);
  }
}

template <int N>
void expect_same_bits_with_width() {
  using T = PackOf<N>;
  const std::vector<Mat3> all = hard_matrices();
  for (size_t first = 0; first + N <= all.size(); first += N) {
    Small33<T> F;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int lane = 0; lane < N; ++lane) F(i, j).v[lane] = all[first + lane](i, j);
    const Svd<T> packed = svd(F);
    for (int lane = 0; lane < N; ++lane) {
      const Svd<double> single = svd(small(all[first + lane]));
      for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(packed.sigma[i].v[lane], single.sigma[i]);
        for (int j = 0; j < 3; ++j) {
          ASSERT_EQ(packed.U(i, j).v[lane], single.U(i, j));
          ASSERT_EQ(packed.V(i, j).v[lane], single.V(i, j));
        }
      }
    }
  }
}

TEST(Svd, HasTheSameBitsInPacksOfAnyWidth) {
  expect_same_bits_with_width<2>();
  expect_same_bits_with_width<4>();
  expect_same_bits_with_width<8>();
}

TEST(EigenSymmetric, ComposesBackAndMatchesEigen) {
  for (const Mat3& F : hard_matrices()) {
    if (F.cwiseAbs().maxCoeff() > 1e100) continue;  // its square overflows
    const Mat3 S = F + F.transpose();
    const Eigen33<double> e =
        eigen_symmetric(Symmetric33<double>{S(0, 0), S(0, 1), S(0, 2), S(1, 1), S(1, 2), S(2, 2)});
    const Mat3 Q = dense(e.vector);
    const Vec3 values(e.value[0], e.value[1], e.value[2]);
    const double largest = std::max(S.cwiseAbs().maxCoeff(), 1e-300);
    EXPECT_LT((Q * values.asDiagonal() * Q.transpose() - S).cwiseAbs().maxCoeff() / largest, 1e-14) << S;
    Vec3 sorted = values;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_LT((sorted - testing::eigenvalues(S)).norm() / largest, 1e-13);
  }
}

}  // namespace
}  // namespace pliant::svd_test
