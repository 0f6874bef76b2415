#include "pliant/kernel/st_venant_kirchhoff.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant {

SolidMaterial st_venant_kirchhoff_solid() {
  return {.name = "st-venant-kirchhoff",
          .summary = "classical; weak against strong compression",
          .make = &make_solid_of<StVenantKirchhoff>};
}

}  // namespace pliant
