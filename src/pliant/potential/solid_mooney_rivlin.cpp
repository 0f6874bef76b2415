#include "pliant/kernel/mooney_rivlin.hpp"
#include "pliant/potential/solid_kernel.hpp"
#include "pliant/potential/solid_materials.hpp"

namespace pliant {

std::unique_ptr<Potential> make_mooney_rivlin_solid(const TetMesh& rest, int first_vertex, const Lame& lame) {
  // mu = 2 (c10 + c01), and the bulk modulus is that of small strains.
  const double bulk = lame.lambda + 2.0 / 3.0 * lame.mu;
  const double c01 = 0.5 * lame.mu * lame.c01_share, c10 = 0.5 * lame.mu - c01;
  return make_solid_of<MooneyRivlin>(rest, first_vertex, {c10 / bulk, c01 / bulk}, bulk);
}

}  // namespace pliant
