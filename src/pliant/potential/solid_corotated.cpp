#include "pliant/kernel/corotated.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant {

SolidMaterial corotated_solid() {
  return {.name = "corotated",
          .summary = "linear elasticity that turns along; keeps the volume less well than fixed-corotated",
          .make = &make_solid_of<Corotated>};
}

}  // namespace pliant
