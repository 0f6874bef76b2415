#include "pliant/kernel/fixed_corotated.hpp"
#include "pliant/potential/solid_kernel.hpp"
#include "pliant/potential/solid_materials.hpp"

namespace pliant {

std::unique_ptr<Potential> make_fixed_corotated_solid(const TetMesh& rest, int first_vertex,
                                                      const Lame& lame) {
  return make_solid_of<FixedCorotated>(rest, first_vertex, lame);
}

}  // namespace pliant
