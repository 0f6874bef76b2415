#pragma once

#include "pliant/potential/element_potential.hpp"
#include "pliant/potential/solid.hpp"

namespace pliant {

/// What a material does in each kind of element.
struct SolidFunctions {
  ElementFunctions tets, hexes, triangles, sheet;  ///< triangles are in plane strain, a sheet is in space
  double roundoff = 0;  ///< of the energy density in solid elements, in units of mu
};

/// With the elements that the mesh has. The energy is `scale` times that of the material: a material of three
/// moduli is given two of them in units of the third, which is the scale.
std::unique_ptr<Potential> make_elements(const SolidFunctions& material, const SolidRest& rest,
                                         const Lame& lame, double scale = 1);

}  // namespace pliant
