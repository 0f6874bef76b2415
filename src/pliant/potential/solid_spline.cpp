#include "pliant/base/error.hpp"
#include "pliant/material/valanis_landel_kernel.hpp"
#include "pliant/potential/solid_kernel.hpp"
#include "pliant/potential/solid_materials.hpp"

namespace pliant {

std::unique_ptr<Potential> make_spline_solid(const TetMesh& rest, int first_vertex, const Lame& lame) {
  if (!lame.splines) throw InputError("a spline material needs its control points, material.spline");
  return make_solid_of<SplineMaterial>(rest, first_vertex, lame, 1, SplineMaterial{lame.splines});
}

}  // namespace pliant
