#include "pliant/kernel/turned_linear.hpp"
#include "pliant/potential/lagged_solid.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant {

std::shared_ptr<Potential> make_lagged_corotated(const TetMesh& rest, int first_vertex, const Lame& lame) {
  return make_solid_of<TurnedLinear>(rest, first_vertex, lame);
}

}  // namespace pliant
