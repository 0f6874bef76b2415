#include "derivative_checker.hpp"

namespace pliant::derivative_checker_test {
namespace {

using testing::check_derivative;

Vector number(double value) { return Vector::Constant(1, value); }

TEST(DerivativeChecker, AcceptsTheDerivativeOfASmoothFunction) {
  EXPECT_TRUE(check_derivative([](double t) { return number(std::exp(t)); }, number(1), {.step = 0.1}));
}

TEST(DerivativeChecker, AcceptsDifferencesThatAreExact) {
  EXPECT_TRUE(check_derivative([](double t) { return number(3 * t + 5 * t * t); }, number(3)));
}

TEST(DerivativeChecker, RefusesAWrongDerivative) {
  EXPECT_FALSE(
      check_derivative([](double t) { return number(std::exp(t)); }, number(1 + 1e-4), {.step = 0.1}));
}

TEST(DerivativeChecker, RefusesAnErrorThatFallsWithTheFirstOrder) {
  // At a jump of the second derivative of odd kind, differences converge, but slowly.
  const auto f = [](double t) { return number(t + std::copysign(t * t, t)); };
  EXPECT_FALSE(check_derivative(f, number(1), {.step = 0.1, .halvings = 30}));
}

TEST(DerivativeChecker, RefusesADerivativeOfZero) {
  EXPECT_FALSE(check_derivative([](double) { return number(2); }, number(0)));
}

}  // namespace
}  // namespace pliant::derivative_checker_test
