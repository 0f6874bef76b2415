#include "pliant/kernel/strain_limit.hpp"
#include "pliant/potential/solid_kernel.hpp"
#include "pliant/potential/solid_materials.hpp"

namespace pliant {

std::unique_ptr<Potential> make_strain_limited_solid(const TetMesh& rest, int first_vertex,
                                                     const Lame& lame) {
  return make_solid_of<StrainLimit>(rest, first_vertex, lame, 1,
                                    StrainLimit{lame.stretch_low, lame.stretch_high});
}

}  // namespace pliant
