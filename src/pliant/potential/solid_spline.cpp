#include "pliant/base/error.hpp"
#include "pliant/kernel/valanis_landel.hpp"
#include "pliant/potential/solid_kernel.hpp"
#include "pliant/potential/solid_materials.hpp"

namespace pliant {

std::unique_ptr<Potential> make_spline_solid(const TetMesh& rest, int first_vertex, const Lame& lame) {
  if (!lame.splines) throw InputError("a spline material needs its control points, material.spline");
  const SplineTable& table = *lame.splines;
  const SplineMaterial material{table.a.pieces(), table.b.pieces(), table.c.pieces()};
  return make_elements(solid_functions(material, lame.splines), rest, first_vertex, lame, 1);
}

}  // namespace pliant
