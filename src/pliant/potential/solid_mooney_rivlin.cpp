#include "pliant/kernel/mooney_rivlin.hpp"
#include "pliant/material/mooney_rivlin.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant {

namespace {

std::unique_ptr<Potential> make(const SolidRest& rest, const Lame& lame, const Parameters& own) {
  // mu = 2 (c10 + c01), and the bulk modulus is that of small strains.
  const double bulk = lame.lambda + 2.0 / 3.0 * lame.mu;
  const double c01 = 0.5 * lame.mu * own.as<MooneyRivlinShare>().c01_share, c10 = 0.5 * lame.mu - c01;
  return make_elements(solid_functions<MooneyRivlin>(), rest, {c10 / bulk, c01 / bulk}, bulk);
}

void describe(Visitor& visit, Parameters& own) {
  visit.value(
      {.name = "c01_share",
       .meaning = "for mooney-rivlin alone: c01 / (c10 + c01), where young and poisson give c10 + c01 = "
                  "mu/2 and the bulk modulus; 0 leaves c10 alone",
       .range = between(0, 1)},
      own.as<MooneyRivlinShare>().c01_share);
}

}  // namespace

SolidMaterial mooney_rivlin_solid() {
  return {
      .name = "mooney-rivlin",
      .summary =
          "rubber with two shear terms, see c01_share; infinite energy where an element is flat or inverted",
      .make = &make,
      .initial = MooneyRivlinShare(),
      .describe = &describe,
      .beside_moduli = true};
}

}  // namespace pliant
