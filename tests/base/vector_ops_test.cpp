#include "pliant/base/vector_ops.hpp"

#include <cmath>
#include <limits>

#include "pliant/base/parallel.hpp"

namespace pliant::vector_ops_test {
namespace {

/// Long enough for several pieces, and no whole number of lanes.
constexpr Index kLong = 100003;

Vector waves(double frequency) {
  Vector a(kLong);
  for (Index i = 0; i < kLong; ++i) a[i] = std::sin(frequency * static_cast<double>(i));
  return a;
}

TEST(VectorOps, ProductsInOnePassAreThoseOfEachAlone) {
  const Vector a = waves(0.1), b = waves(0.37);
  const Products of = products(a, b);
  EXPECT_EQ(of.ab, dot(a, b));
  EXPECT_EQ(of.aa, dot(a, a));
  EXPECT_EQ(of.bb, dot(b, b));
  EXPECT_NEAR(of.aa, a.squaredNorm(), 1e-10);
}

TEST(VectorOps, TotalsAreThoseOfMagnitudesAndDifferences) {
  const Vector a = waves(0.1), b = waves(0.37);
  const Totals totals = totals_of(a, b);
  EXPECT_NEAR(totals.magnitude, a.lpNorm<1>(), 1e-9);
  EXPECT_NEAR(totals.difference, (a - b).sum(), 1e-9);
  EXPECT_EQ(totals_of(a, a).difference, 0);
}

TEST(VectorOps, OneNumberThatIsNotFiniteIsFound) {
  Vector a = waves(0.1);
  a[7] = std::numeric_limits<double>::max();
  EXPECT_TRUE(all_finite(a));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()})
    for (const Index at : {Index{0}, kLong / 2, kLong - 1}) {
      Vector b = a;
      b[at] = bad;
      EXPECT_FALSE(all_finite(b)) << bad << " at " << at;
    }
}

TEST(VectorOps, CopiesAndZeroesAllOfAVector) {
  const Vector a = waves(0.1);
  Vector b;
  copy(a, b);
  EXPECT_EQ(a, b);
  set_zero(kLong - 1, b);
  EXPECT_EQ(b, Vector::Zero(kLong - 1));
}

TEST(VectorOps, SumsHaveTheSameBitsForAnyNumberOfThreads) {
  const Vector a = waves(0.1), b = waves(0.37);
  set_threads(1);
  const Products products_alone = products(a, b);
  const Totals totals_alone = totals_of(a, b);
  set_threads(3);
  EXPECT_EQ(products(a, b).ab, products_alone.ab);
  EXPECT_EQ(totals_of(a, b).magnitude, totals_alone.magnitude);
  EXPECT_EQ(totals_of(a, b).difference, totals_alone.difference);
  set_threads(0);
}

}  // namespace
}  // namespace pliant::vector_ops_test
