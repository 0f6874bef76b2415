#include "pliant/kernel/as_rigid_as_possible.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant {

SolidMaterial as_rigid_as_possible_solid() {
  return {.name = "as-rigid-as-possible",
          .summary =
              "shear stiffness alone: as corotated with lambda = 0, poisson only enters mu = young / (2 + 2 "
              "poisson)",
          .make = &make_solid_of<AsRigidAsPossible>};
}

}  // namespace pliant
