#include "pliant/kernel/as_rigid_as_possible.hpp"
#include "pliant/potential/solid_kernel.hpp"
#include "pliant/potential/solid_materials.hpp"

namespace pliant {

std::unique_ptr<Potential> make_as_rigid_as_possible_solid(const TetMesh& rest, int first_vertex,
                                                           const Lame& lame) {
  return make_solid_of<AsRigidAsPossible>(rest, first_vertex, lame);
}

}  // namespace pliant
