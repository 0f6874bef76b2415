#include "pliant/kernel/stable_neo_hookean.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant {

SolidMaterial stable_neo_hookean_solid() {
  return {.name = "stable-neo-hookean",
          .summary = "rubber and flesh, defined for any deformation",
          .make = &make_solid_of<StableNeoHookean>};
}

}  // namespace pliant
