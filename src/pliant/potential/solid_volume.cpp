#include "pliant/kernel/volume.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant {

std::unique_ptr<Potential> make_volume_solid(const TetMesh& rest, int first_vertex, const Lame& lame) {
  return make_solid_of<KeptVolume>({rest, first_vertex}, lame);
}

}  // namespace pliant
