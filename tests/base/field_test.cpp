#include "pliant/base/field.hpp"

#include <cmath>
#include <limits>

#include "pliant/base/parallel.hpp"

namespace pliant::field_test {
namespace {

/// Whole blocks, several pieces for threads, and no whole number of lanes.
constexpr Index kBlocks = 33335, kLong = 3 * kBlocks;

Vector waves(double frequency) {
  Vector a(kLong);
  for (Index i = 0; i < kLong; ++i) a[i] = std::sin(frequency * static_cast<double>(i) + 1);
  return a;
}

/// Every fifth unknown.
std::vector<char> some_held() {
  std::vector<char> held(kLong, 0);
  for (Index i = 0; i < kLong; i += 5) held[i] = 1;
  return held;
}

const Vector a = waves(0.1), b = waves(0.37), c = waves(0.73), d = waves(1.9);
constexpr double kFactor = -1.7;

/// What a verb makes of a field, beside the same by a plain loop: bit by bit.
template <class Verb, class Loop>
void expect_same(const Vector& start, const Verb& verb, const Loop& loop) {
  Field field(start);
  verb(field);
  Vector expected = start;
  if (expected.size() == 0) expected.resize(kLong);
  for (Index i = 0; i < expected.size(); ++i) expected[i] = loop(i, expected[i]);
  EXPECT_EQ(field.host(), expected);
}

TEST(Field, VerbsThatSetAreThePlainLoops) {
  const Field x(a), y(b);
  expect_same(
      c, [&](Field& z) { copy(x, z); }, [](Index i, double) { return a[i]; });
  expect_same(
      c, [](Field& z) { set_zero(kLong, z); }, [](Index, double) { return 0.0; });
  expect_same(
      c, [](Field& z) { scale(kFactor, z); }, [](Index, double z) { return z * kFactor; });
  expect_same(
      c, [](Field& z) { divide(kFactor, z); }, [](Index, double z) { return z / kFactor; });
  expect_same(
      c, [&](Field& z) { negate(x, z); }, [](Index i, double) { return -a[i]; });
  expect_same(
      c, [&](Field& z) { add_scaled(kFactor, x, z); }, [](Index i, double z) { return z + kFactor * a[i]; });
  expect_same(
      c, [&](Field& z) { scale_and_add(kFactor, x, z); },
      [](Index i, double z) { return a[i] + kFactor * z; });
  expect_same(
      c, [&](Field& z) { add_scaled(kFactor, x, y, z); },
      [](Index i, double) { return b[i] + kFactor * a[i]; });
}

TEST(Field, VerbsThatSetTakeEmptyFieldsAndTheirOwnInput) {
  const Field x(a), y(b);
  expect_same(
      Vector(), [&](Field& z) { copy(x, z); }, [](Index i, double) { return a[i]; });
  expect_same(
      Vector(), [&](Field& z) { negate(x, z); }, [](Index i, double) { return -a[i]; });
  expect_same(
      Vector(), [&](Field& z) { add_scaled(kFactor, x, y, z); },
      [](Index i, double) { return b[i] + kFactor * a[i]; });
  expect_same(
      c, [](Field& z) { negate(z, z); }, [](Index, double z) { return -z; });
}

TEST(Field, AdvanceMovesTwoAtOnce) {
  const Field p(a), q(b);
  Field x(c), r(d);
  advance(kFactor, p, q, x, r);
  for (Index i = 0; i < kLong; ++i) {
    ASSERT_EQ(x.host()[i], c[i] + kFactor * a[i]) << i;
    ASSERT_EQ(r.host()[i], d[i] - kFactor * b[i]) << i;
  }
}

TEST(Field, VerbsWithAMaskTouchNothingElse) {
  const std::vector<char> held = some_held();
  const Field x(a);
  expect_same(
      c, [&](Field& z) { clear_where(held, z); }, [&](Index i, double z) { return held[i] ? 0 : z; });
  for (const bool is_held : {true, false})
    expect_same(
        c, [&](Field& z) { take_where(held, is_held, x, z); },
        [&](Index i, double z) { return (held[i] != 0) == is_held ? a[i] : z; });
}

TEST(Field, AnEmptyMaskHoldsNothing) {
  const Field x(a);
  expect_same(
      c, [](Field& z) { clear_where({}, z); }, [](Index, double z) { return z; });
  expect_same(
      c, [&](Field& z) { take_where({}, true, x, z); }, [](Index, double z) { return z; });
  expect_same(
      c, [&](Field& z) { take_where({}, false, x, z); }, [](Index i, double) { return a[i]; });
  EXPECT_NEAR(sum_of_free(x, {}), a.sum(), 1e-10);
}

TEST(Field, SumsAreThoseOfPlainLoops) {
  const Field x(a), y(b);
  const std::vector<char> held = some_held();
  double xy = 0, xx = 0, yy = 0, free = 0, most = 0, longest = 0;
  for (Index i = 0; i < kLong; ++i) {
    xy += a[i] * b[i];
    xx += a[i] * a[i];
    yy += b[i] * b[i];
    free += held[i] ? 0 : a[i];
    most = std::max(most, std::abs(a[i]));
  }
  for (Index i = 0; i < kLong; i += 3) longest = std::max(longest, a.segment<3>(i).norm());
  EXPECT_NEAR(dot(x, y), xy, 1e-9);
  EXPECT_NEAR(norm(x), std::sqrt(xx), 1e-9);
  const Products all = products(x, y);
  EXPECT_EQ(all.ab, dot(x, y));
  EXPECT_EQ(all.aa, dot(x, x));
  EXPECT_NEAR(all.bb, yy, 1e-9);
  EXPECT_NEAR(sum_of_free(x, held), free, 1e-9);
  EXPECT_EQ(largest(x), most);
  EXPECT_NEAR(longest_block(x), longest, 1e-14);
}

TEST(Field, LargestIsFoundWhereverItIsAndWithoutItsSign) {
  for (const Index at : {Index{0}, kLong / 2, kLong - 1}) {
    Vector peak = a;
    peak[at] = -7;
    EXPECT_EQ(largest(Field(peak)), 7) << at;
  }
}

TEST(Field, OneNumberThatIsNotFiniteIsFound) {
  EXPECT_TRUE(all_finite(Field(a)));
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    Vector broken = a;
    broken[kLong / 2] = bad;
    EXPECT_FALSE(all_finite(Field(broken))) << bad;
  }
}

TEST(Field, SwapsAndClears) {
  Field x(a), y(b);
  x.swap(y);
  EXPECT_EQ(x.host(), b);
  EXPECT_EQ(y.host(), a);
  EXPECT_EQ(y.size(), kLong);
  y.clear();
  EXPECT_TRUE(y.empty());
  EXPECT_FALSE(x.empty());
}

TEST(Field, LayoutsHaveIdsOfTheirOwn) {
  const UnknownLayout one = make_layout(5), other = make_layout(5);
  EXPECT_NE(one.id, other.id);
  EXPECT_NE(one.id, UnknownLayout().id);
  EXPECT_EQ(one.size(), 15);
}

/// All numbers that verbs give, one after the other.
std::vector<double> everything() {
  const std::vector<char> held = some_held();
  Field x(a), y(b), z(c), r(d);
  std::vector<double> all{dot(x, y),  norm(x),          products(x, y).ab,   products(x, y).bb,
                          largest(x), longest_block(x), sum_of_free(x, held)};
  advance(kFactor, x, y, z, r);
  divide(kFactor, z);
  add_scaled(kFactor, z, r, x);
  scale_and_add(kFactor, x, y);
  take_where(held, true, z, y);
  negate(y, x);
  clear_where(held, r);
  for (const Field* field : {&x, &y, &z, &r})
    all.insert(all.end(), field->host().begin(), field->host().end());
  return all;
}

TEST(Field, VerbsGiveTheSameBitsForAnyNumberOfThreads) {
  set_threads(1);
  const std::vector<double> alone = everything();
  set_threads(2);
  EXPECT_EQ(everything(), alone);
  set_threads(3);
  EXPECT_EQ(everything(), alone);
  set_threads(0);
}

}  // namespace
}  // namespace pliant::field_test
