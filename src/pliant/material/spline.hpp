#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "pliant/base/visitor.hpp"
#include "pliant/kernel/spline.hpp"

namespace pliant {

/// A function f given by control points of its derivative: f' is the natural cubic spline through them and
/// goes on straight beyond the first and the last; f(1) = 0.
class Spline {
 public:
  /// Zero everywhere.
  Spline() = default;
  /// Points (x, f'(x)). Throws InputError unless there are at least two and their x increases.
  explicit Spline(std::span<const std::array<double, 2>> points);

  /// Good as long as this is.
  SplinePieces pieces() const { return {pieces_.data(), static_cast<int>(pieces_.size())}; }

 private:
  std::vector<SplinePiece> pieces_;  ///< the first and the last are straight
};

/// Control points x, f'(x), x, f'(x) ... of the three functions of a spline material, Pa; none for zero.
struct SplinePoints {
  std::vector<double> a, b, c;
};
void describe(Visitor& visit, SplinePoints& points);

/// What a spline material takes beside its moduli: it cannot do without.
struct SplineParameters {
  std::optional<SplinePoints> points;
};

}  // namespace pliant
