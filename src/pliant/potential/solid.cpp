#include "pliant/potential/solid.hpp"

#include <array>

#include "pliant/base/error.hpp"
#include "pliant/potential/solid_materials.hpp"

namespace pliant {

std::span<const SolidMaterial> solid_materials() {
  static constexpr auto kMaterials = std::to_array<SolidMaterial>({
      {"fixed-corotated", "robust for any deformation, inverted elements included; the default",
       &make_fixed_corotated_solid},
      {"st-venant-kirchhoff", "classical; weak against strong compression", &make_st_venant_kirchhoff_solid},
      {"neo-hookean", "rubber; infinite energy where an element is flat or inverted",
       &make_neo_hookean_solid},
      {"stable-neo-hookean", "rubber and flesh, defined for any deformation", &make_stable_neo_hookean_solid},
      {"extrapolated-neo-hookean",
       "Neo-Hookean down to a fifth of length and volume, continued below so that inverted elements recover",
       &make_extrapolated_neo_hookean_solid},
      {"mooney-rivlin",
       "rubber with two shear terms, see c01_share; infinite energy where an element is flat or inverted",
       &make_mooney_rivlin_solid},
      {"corotated", "linear elasticity that turns along; keeps the volume less well than fixed-corotated",
       &make_corotated_solid},
      {"as-rigid-as-possible",
       "shear stiffness alone: as corotated with lambda = 0, poisson only enters mu = young / (2 + 2 "
       "poisson)",
       &make_as_rigid_as_possible_solid},
      {"polynomial", "mu (stretch - 1)^4: gives way easily near rest, hardly beyond; poisson only enters mu",
       &make_polynomial_solid},
      {"strain-limited",
       "resists stretches below stretch_min and above stretch_max alone, by 2 mu; poisson only enters mu",
       &make_strain_limited_solid},
      {"spline", "three functions of the stretches given by control points, see spline", &make_spline_solid},
  });
  return kMaterials;
}

std::unique_ptr<Potential> make_solid(std::string_view material, const TetMesh& rest, int first_vertex,
                                      const Lame& lame) {
  std::string known;
  for (const SolidMaterial& candidate : solid_materials()) {
    if (candidate.name == material) return candidate.make(rest, first_vertex, lame);
    known += (known.empty() ? "" : ", ") + std::string(candidate.name);
  }
  throw InputError("no material is called '" + std::string(material) + "'; known are " + known);
}

}  // namespace pliant
