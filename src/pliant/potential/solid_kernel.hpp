#pragma once

// What a material does in every kind of element; its own source file compiles this once.

#include "pliant/kernel/hex_solid.hpp"
#include "pliant/kernel/membrane.hpp"
#include "pliant/kernel/plane_solid.hpp"
#include "pliant/kernel/tet_solid.hpp"
#include "pliant/potential/element_solid.hpp"
#include "pliant/potential/packed_kernel.hpp"

namespace pliant {

template <class Material>
SolidFunctions solid_functions(const Material& material = {},
                               const std::shared_ptr<const void>& kept = nullptr) {
  SolidFunctions functions{element_functions<TetSolid<Material>>({material}, kept),
                           element_functions<HexSolid<Material>>({material}, kept),
                           element_functions<PlaneSolid<Material>>({{material}}, kept),
                           element_functions<Membrane<Material>>({material}, kept)};
  if constexpr (kDirect<Material, double>) functions.roundoff = Material::kRoundoff;
  return functions;
}

/// Of a planar body, a sheet or one in space, of whatever elements. A material whose struct has members is
/// made with those given.
template <class Material>
std::unique_ptr<Potential> make_solid_of(const SolidRest& rest, const Lame& lame,
                                         [[maybe_unused]] const Parameters& own = {}) {
  if constexpr (std::is_empty_v<Material>)
    return make_elements(solid_functions<Material>(), rest, lame);
  else
    return make_elements(solid_functions(own.as<Material>()), rest, lame);
}

}  // namespace pliant
