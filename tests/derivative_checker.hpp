#pragma once

// One checker for every derivative. It compares a directional derivative with central differences at a
// sequence of halved steps: the error must fall with the square of the step until roundoff, and must end far
// below the derivative itself. A derivative that is zero is refused, so that the check cannot pass on
// nothing.

#include <cmath>
#include <functional>
#include <string>

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
  double best = 1e300, best_slope = 0, last = 0;
  double h = options.step;
  for (int i = 0; i <= options.halvings; ++i, h /= 2) {
    const double error = ((f(h) - f(-h)) / (2 * h) - slope).norm() / size;
    if (i > 0 && error > 0) best_slope = std::max(best_slope, std::log2(last / error));
    best = std::min(best, error);
    last = error;
  }
  if (!(best < options.tolerance))
    return ::testing::AssertionFailure() << "relative error only falls to " << best;
  // Second order, unless differences are exact from the start (a quadratic or lower function).
  if (best_slope < 1.7 && best > 1e-9)
    return ::testing::AssertionFailure() << "the error falls with order " << best_slope << ", not 2";
  return ::testing::AssertionSuccess();
}

}  // namespace pliant::testing
