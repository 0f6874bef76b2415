#include "pliant/kernel/valanis_landel.hpp"
#include "pliant/material/spline.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant {

namespace {

/// The three functions of a material that satisfies the hypothesis of Valanis and Landel (liu-2018,
/// Eq. 7.12).
struct SplineTable {
  Spline a, b, c;
};

Spline spline_through(const std::vector<double>& numbers) {
  std::vector<std::array<double, 2>> points;
  for (size_t i = 0; i + 1 < numbers.size(); i += 2) points.push_back({numbers[i], numbers[i + 1]});
  return points.empty() ? Spline() : Spline(points);
}

std::unique_ptr<Potential> make(const SolidRest& rest, const Lame& lame, const Parameters& own) {
  const SplinePoints points = own.as<SplineParameters>().points.value_or(SplinePoints());
  const auto table = std::make_shared<const SplineTable>(
      SplineTable{spline_through(points.a), spline_through(points.b), spline_through(points.c)});
  const SplineMaterial material{table->a.pieces(), table->b.pieces(), table->c.pieces()};
  return make_elements(solid_functions(material, table), rest, lame);
}

void describe(Visitor& visit, Parameters& own) {
  visit.table({.name = "spline", .meaning = "of spline: its three functions"},
              own.as<SplineParameters>().points);
}

void rules(Visitor& visit, const Parameters& own) {
  visit.rule(own.as<SplineParameters>().points.has_value(), "spline",
             "model = \"spline\" needs control points: spline = { a = [0.5, -1e4, 1, 0, 1.5, 1e4] }");
}

}  // namespace

SolidMaterial spline_solid() {
  return {.name = "spline",
          .summary = "three functions of the stretches given by control points, see spline",
          .make = &make,
          .initial = SplineParameters(),
          .describe = &describe,
          .rules = &rules};
}

}  // namespace pliant
