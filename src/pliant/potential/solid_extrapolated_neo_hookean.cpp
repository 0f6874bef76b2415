#include "pliant/kernel/extrapolated_neo_hookean.hpp"
#include "pliant/potential/solid_kernel.hpp"
#include "pliant/potential/solid_materials.hpp"

namespace pliant {

std::unique_ptr<Potential> make_extrapolated_neo_hookean_solid(const TetMesh& rest, int first_vertex,
                                                               const Lame& lame) {
  return make_solid_of<ExtrapolatedNeoHookean>(rest, first_vertex, lame);
}

}  // namespace pliant
