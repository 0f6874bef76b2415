#pragma once

#include "pliant/base/types.hpp"
#include "pliant/minimize/objective.hpp"

namespace pliant {

/// A point on the way of a line search: x(alpha) = project(x + alpha step), with what is known there.
struct SearchPoint {
  double alpha = 0;
  double value = 0;  ///< relative to the start, which is the objective's reference
  double slope = 0;  ///< of the value along the way
  Vector x;
  Vector gradient;  ///< without constraints
};

struct SearchReport {
  bool accepted = false;
  int evaluations = 0;
  bool met_infinity = false;  ///< in one of them
};

/// Chooses how far to go. `start` holds value 0, slope and gradient; `end` receives the chosen point,
/// gradient included.
class LineSearch {
 public:
  virtual ~LineSearch() = default;
  virtual SearchReport search(Objective& objective, const SearchPoint& start, const Vector& step,
                              SearchPoint& end) = 0;
};

}  // namespace pliant
