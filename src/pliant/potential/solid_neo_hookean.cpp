#include "pliant/kernel/neo_hookean.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant {

SolidMaterial neo_hookean_solid() {
  return {.name = "neo-hookean",
          .summary = "rubber; infinite energy where an element is flat or inverted",
          .make = &make_solid_of<NeoHookean>};
}

}  // namespace pliant
