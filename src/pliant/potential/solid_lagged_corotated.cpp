#include "pliant/kernel/turned_linear.hpp"
#include "pliant/potential/lagged_solid.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant {

std::shared_ptr<Potential> make_lagged_corotated(const SolidRest& rest, const Lame& lame) {
  return make_solid_of<TurnedLinear>(rest, lame);
}

}  // namespace pliant
