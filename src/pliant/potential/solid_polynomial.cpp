#include "pliant/kernel/polynomial.hpp"
#include "pliant/potential/solid_kernel.hpp"
#include "pliant/potential/solid_materials.hpp"

namespace pliant {

std::unique_ptr<Potential> make_polynomial_solid(const TetMesh& rest, int first_vertex, const Lame& lame) {
  return make_solid_of<Polynomial>(rest, first_vertex, lame);
}

}  // namespace pliant
