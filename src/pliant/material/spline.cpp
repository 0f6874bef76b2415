#include "pliant/material/spline.hpp"

#include <algorithm>
#include <string>

#include "pliant/base/error.hpp"

namespace pliant {

namespace {

/// Second derivatives at the points of the natural spline: a tridiagonal system.
std::vector<double> bends(std::span<const std::array<double, 2>> p) {
  const size_t n = p.size();
  std::vector<double> bend(n, 0.0), upper(n, 0.0);
  for (size_t i = 1; i + 1 < n; ++i) {
    const double before = p[i][0] - p[i - 1][0], after = p[i + 1][0] - p[i][0];
    const double right = 6 * ((p[i + 1][1] - p[i][1]) / after - (p[i][1] - p[i - 1][1]) / before);
    const double pivot = 2 * (before + after) - before * upper[i - 1];
    upper[i] = after / pivot;
    bend[i] = (right - before * bend[i - 1]) / pivot;
  }
  for (size_t i = n - 1; i-- > 1;) bend[i] -= upper[i] * bend[i + 1];
  return bend;
}

/// Of the piece alone, beyond its end as well.
SplineValues<double> inside(const SplinePiece& piece, double x) { return at(SplinePieces{&piece, 1}, x); }

}  // namespace

Spline::Spline(std::span<const std::array<double, 2>> points) {
  if (points.size() < 2) throw InputError("a spline needs at least two control points");
  for (size_t i = 1; i < points.size(); ++i)
    if (!(points[i][0] > points[i - 1][0]))
      throw InputError(
          "the control points of a spline must be ordered by their first number, which must differ");
  const std::vector<double> bend = bends(points);
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    const double h = points[i + 1][0] - points[i][0];
    pieces_.push_back(
        {points[i][0],
         0,
         {points[i][1], (points[i + 1][1] - points[i][1]) / h - h * (2 * bend[i] + bend[i + 1]) / 6,
          bend[i] / 2, (bend[i + 1] - bend[i]) / (6 * h)}});
  }
  const double end = points.back()[0];
  pieces_.push_back({end, 0, {points.back()[1], inside(pieces_.back(), end).second, 0, 0}});
  const SplinePiece first = pieces_.front();
  pieces_.insert(pieces_.begin(), {first.start, 0, {first.c[0], first.c[1], 0, 0}});
  for (size_t i = 2; i < pieces_.size(); ++i)
    pieces_[i].value = inside(pieces_[i - 1], pieces_[i].start).value;
  const double at_one = at(pieces(), 1.0).value;
  for (SplinePiece& piece : pieces_) piece.value -= at_one;
}

void describe(Visitor& visit, SplinePoints& of) {
  const auto points = [&](std::string_view name, std::string_view meaning, std::vector<double>& field) {
    visit.value({.name = name, .meaning = meaning, .unit = "Pa"}, field);
    const auto ordered = [&] {
      for (size_t i = 2; i < field.size(); i += 2)
        if (!(field[i] > field[i - 2])) return false;
      return true;
    };
    visit.rule(field.empty() || (field.size() >= 4 && field.size() % 2 == 0 && ordered()), name,
               "control points are pairs of a place and a value, at least two of them, at increasing places");
  };
  points("a", "control points x, a'(x), x, a'(x) ... of the function of each stretch; none for zero", of.a);
  points("b", "the same for the function of the products of two stretches", of.b);
  points("c", "the same for the function of the product of all three, the change of volume", of.c);
}

}  // namespace pliant
