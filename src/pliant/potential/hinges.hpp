#pragma once

#include <memory>

#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/potential/potential.hpp"

namespace pliant {

/// Edges between two triangles, as 0 and 1, and the corners opposite to them, on the left and on the right.
std::vector<std::array<int, 4>> find_hinges(const TetMesh& rest);

/// The bending energy of a sheet of triangles, a hinge for each edge between two of them (Grinspun et al.
/// 2003), which rests at the angle it has in `rest`. `stiffness` is that of a plate, E t^3 / (12 (1 - nu^2)),
/// in N m: hinges then have 3 |e|^2 / area times that. How close to a plate the sheet is depends on the mesh:
/// where all edges across the bend are parallel to it, it is three times as stiff. Null where no two
/// triangles share an edge.
std::unique_ptr<Potential> make_hinges(const TetMesh& rest, int first_vertex, double stiffness);

}  // namespace pliant
