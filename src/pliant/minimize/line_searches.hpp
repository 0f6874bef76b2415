#pragma once

#include "pliant/minimize/line_search.hpp"

namespace pliant {

/// Finds a point that satisfies the strong Wolfe conditions (Nocedal and Wright 2006, algorithms 3.5
/// and 3.6). Tries the full step first and goes further where the slope still falls. Where the change in
/// value drowns in roundoff, slopes decide instead (the approximate Wolfe conditions of Hager and Zhang
/// 2005).
class StrongWolfe final : public LineSearch {
 public:
  SearchReport search(const SearchLine& line, SearchPoint& end) override;
};

/// Halves the step until the value falls enough (liu-2018, section 4.1: beta 0.5, gamma 0.03).
class Backtracking final : public LineSearch {
 public:
  SearchReport search(const SearchLine& line, SearchPoint& end) override;
};

/// Halves the step until the residual falls enough, for root finding: it knows nothing of values and may
/// climb (loschner-2020, section 5.3).
class ResidualBacktracking final : public LineSearch {
 public:
  SearchReport search(const SearchLine& line, SearchPoint& end) override;
};

/// Takes the full step, whatever happens.
class UnitStep final : public LineSearch {
 public:
  SearchReport search(const SearchLine& line, SearchPoint& end) override;
};

}  // namespace pliant
