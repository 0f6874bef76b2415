#include "pliant/kernel/extrapolated_neo_hookean.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant {

SolidMaterial extrapolated_neo_hookean_solid() {
  return {.name = "extrapolated-neo-hookean",
          .summary =
              "Neo-Hookean down to a fifth of length and volume, continued below so that inverted elements "
              "recover",
          .make = &make_solid_of<ExtrapolatedNeoHookean>};
}

}  // namespace pliant
