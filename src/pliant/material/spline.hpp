#pragma once

#include <array>
#include <span>
#include <vector>

namespace pliant {

/// A function f given by control points of its derivative: f' is the natural cubic spline through them and
/// goes on straight beyond the first and the last; f(1) = 0.
class Spline {
 public:
  /// Zero everywhere.
  Spline() = default;
  /// Points (x, f'(x)). Throws InputError unless there are at least two and their x increases.
  explicit Spline(std::span<const std::array<double, 2>> points);

  struct Values {
    double value, slope, second;  ///< f, f', f''
  };
  Values at(double x) const;

 private:
  /// From x on, f' = c[0] + c[1] t + c[2] t^2 + c[3] t^3 with t = x - start, and f = value at t = 0.
  struct Piece {
    double start = 0, value = 0;
    std::array<double, 4> c{};
  };
  static Values inside(const Piece& piece, double x);

  std::vector<Piece> pieces_;  ///< the first is straight and reaches down without end, as the last does up
};

/// The three functions of a material that satisfies the hypothesis of Valanis and Landel (liu-2018,
/// Eq. 7.12).
struct SplineTable {
  Spline a, b, c;
};

}  // namespace pliant
