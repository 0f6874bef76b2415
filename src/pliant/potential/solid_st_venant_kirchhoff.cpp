#include "pliant/kernel/st_venant_kirchhoff.hpp"
#include "pliant/potential/solid_kernel.hpp"
#include "pliant/potential/solid_materials.hpp"

namespace pliant {

std::unique_ptr<Potential> make_st_venant_kirchhoff_solid(const TetMesh& rest, int first_vertex,
                                                          const Lame& lame) {
  return make_solid_of<StVenantKirchhoff>(rest, first_vertex, lame);
}

}  // namespace pliant
