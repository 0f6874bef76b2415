#pragma once

#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/meshing/background.hpp"

namespace pliant {

/// The part of a background mesh that lies inside a shape (Labelle and Shewchuk 2007, section 3): vertices
/// close to the surface are moved onto it, tetrahedra that the surface still passes through are cut there and
/// only their inner parts are kept. Vertices that lie on the surface are marked in `on_surface`.
struct Stuffing {
  TetMesh mesh;
  std::vector<char> on_surface;
};

Stuffing stuff(const Shape& shape, Background background);

}  // namespace pliant
