#include "pliant/kernel/fixed_corotated.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant {

SolidMaterial fixed_corotated_solid() {
  return {.name = "fixed-corotated",
          .summary = "robust for any deformation, inverted elements included; the default",
          .make = &make_solid_of<FixedCorotated>};
}

}  // namespace pliant
