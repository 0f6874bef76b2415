#pragma once

#include <limits>

#include "pliant/minimize/objective.hpp"

namespace pliant {

/// A point on the way of a line search: x(alpha) = project(x + alpha step), with what is known there.
struct SearchPoint {
  double alpha = 0;
  double value = 0;  ///< relative to the start, which is the objective's reference
  double noise = 0;  ///< of the value
  double slope = 0;  ///< of the value along the way
  Field x;
  Field gradient;  ///< without constraints
};

/// What is searched along. `start` holds value 0, noise, slope and gradient.
struct SearchLine {
  Objective& objective;
  FeasibleSet* set;  ///< that points are projected to; null where there is none
  const SearchPoint& start;
  const Field& step;
  double longest = std::numeric_limits<double>::infinity();  ///< no alpha beyond is looked at
};

struct SearchReport {
  bool accepted = false;
  int evaluations = 0;
  bool met_infinity = false;  ///< in one of them
};

/// Chooses how far to go. `end` receives the chosen point, gradient included.
class LineSearch {
 public:
  virtual ~LineSearch() = default;
  virtual SearchReport search(const SearchLine& line, SearchPoint& end) = 0;
};

}  // namespace pliant
