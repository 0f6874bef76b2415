#include "pliant/kernel/strain_limit.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant {

namespace {

void describe(Visitor& visit, Parameters& own) {
  auto& limit = own.as<StrainLimit>();
  visit.value({.name = "stretch_min",
               .meaning = "of strain-limited: the stretch below which it resists",
               .range = at_least(0)},
              limit.low);
  visit.value({.name = "stretch_max",
               .meaning = "of strain-limited: the stretch above which it resists",
               .range = kPositive},
              limit.high);
}

void rules(Visitor& visit, const Parameters& own) {
  const auto& limit = own.as<StrainLimit>();
  visit.rule(limit.low <= limit.high, "stretch_min",
             "stretch_min must not be above stretch_max; exchange them");
}

}  // namespace

SolidMaterial strain_limited_solid() {
  return {
      .name = "strain-limited",
      .summary =
          "resists stretches below stretch_min and above stretch_max alone, by 2 mu; poisson only enters mu",
      .make = &make_solid_of<StrainLimit>,
      .initial = StrainLimit(),
      .describe = &describe,
      .rules = &rules};
}

}  // namespace pliant
