#pragma once

// One checker for every derivative. It compares a directional derivative with central differences at a
// sequence of halved steps: the error must fall with the square of the step until roundoff, and must end far
// below the derivative itself. A derivative that is zero is refused, so that the check cannot pass on
// nothing.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant::testing {

struct DerivativeCheck {
  double step = 1e-2;  ///< first difference, halved each time; a natural length of the function
  int halvings = 12;
  double tolerance = 1e-6;  ///< best relative error to reach
};

/// `f` returns a vector (or a single number), `slope` the derivative along the direction in which t moves.
inline ::testing::AssertionResult check_derivative(const std::function<Vector(double)>& f,
                                                   const Vector& slope, const DerivativeCheck& options = {}) {
  const double size = slope.norm();
  if (!(size > 0) || !std::isfinite(size))
    return ::testing::AssertionFailure() << "the derivative is " << size;
  std::vector<double> errors;
  double h = options.step;
  for (int i = 0; i <= options.halvings; ++i, h /= 2)
    errors.push_back(((f(h) - f(-h)) / (2 * h) - slope).norm() / size);
  const double best = *std::min_element(errors.begin(), errors.end());
  if (!(best < options.tolerance))
    return ::testing::AssertionFailure() << "relative error only falls to " << best;

  // The order is that of the errors well above the smallest one; nearer to it, roundoff jitters.
  constexpr double kRoundoff = 1e-12;
  const double floor = 100 * std::max(best, kRoundoff);
  const auto last = std::find_if(errors.begin(), errors.end(), [&](double e) { return !(e > floor); }) - 1;
  const auto halvings = last - errors.begin();
  if (halvings < 2) {
    // Differences are exact from the start: a quadratic or lower function.
    if (best < 1e-9) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure()
           << "the first step, with an error of " << errors[0]
           << ", is too short to see the error fall before roundoff, which leaves " << best;
  }
  const double order = std::log2(errors.front() / *last) / static_cast<double>(halvings);
  if (order < 1.7 || order > 2.5)
    return ::testing::AssertionFailure() << "the error falls with order " << order << ", not 2";
  return ::testing::AssertionSuccess();
}

}  // namespace pliant::testing
