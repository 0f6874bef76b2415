#include "pliant/kernel/polynomial.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant {

SolidMaterial polynomial_solid() {
  return {.name = "polynomial",
          .summary = "mu (stretch - 1)^4: gives way easily near rest, hardly beyond; poisson only enters mu",
          .make = &make_solid_of<Polynomial>};
}

}  // namespace pliant
