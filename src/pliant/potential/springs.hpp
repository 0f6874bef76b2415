#pragma once

#include <memory>
#include <span>

#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/potential/potential.hpp"

namespace pliant {

/// A spring between two vertices.
struct SpringAt {
  int a = 0, b = 0;
  double stiffness = 0, length = 0;  ///< N/m, m
};

/// Those that a potential consists of, as its contributions are numbered; none where its stencils are
/// something else.
std::vector<SpringAt> springs_of(const Potential& potential);

/// The elastic energy of a body as a spring an edge; it does not resist bending. Of a thin body they come in
/// the order of its edges. Springs are as stiff as the material around them, of Young's modulus `young` (Pa):
/// E V / L^2, with V the volume that an edge of length L stands for. A strand is a row of bars, E A / L. In a
/// sheet or a planar body it is that of the edge's triangles, which makes equilateral ones a sheet of modulus
/// E and Poisson's ratio 1/3 (Van Gelder 1998). In a solid it is that of the edge's tetrahedra: every mesh
/// has the bulk modulus 2/3 E, and one with edges in all directions alike is of modulus E and Poisson's ratio
/// 1/4. `of_element` multiplies the modulus element by element unless it is empty.
std::unique_ptr<Potential> make_springs(const TetMesh& rest, int first_vertex, double young,
                                        std::span<const double> of_element = {});

/// Springs across each edge between two triangles, from corner to corner, or across each vertex of a strand,
/// which resist bending as far as the body does not stretch; `stiffness` in N/m. Null where there is nothing
/// to bend.
std::unique_ptr<Potential> make_bending_springs(const TetMesh& rest, int first_vertex, double stiffness);

}  // namespace pliant
