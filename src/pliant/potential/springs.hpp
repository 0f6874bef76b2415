#pragma once

#include <memory>
#include <span>

#include "pliant/geometry/tet_mesh.hpp"
#include "pliant/potential/potential.hpp"

namespace pliant {

/// A spring between two vertices.
struct SpringAt {
  int a = 0, b = 0;
  double stiffness = 0, length = 0;  ///< N/m, m
};

/// Those that a potential consists of; none where it is something else.
std::span<const SpringAt> springs_of(const Potential& potential);

/// The elastic energy of a thin body as a spring an edge, in the order of its edges; it does not resist
/// bending. Springs are as stiff as the material around them, of Young's modulus `young` (Pa): a strand is a
/// row of bars, E A / L; in a sheet an edge stands for the area A of its triangles, E thickness A / L^2,
/// which in a mesh of equilateral triangles has the modulus E thickness and Poisson's ratio 1/3 (Van Gelder
/// 1998). `of_edge` multiplies that edge by edge unless it is empty.
std::unique_ptr<Potential> make_springs(const TetMesh& rest, int first_vertex, double young,
                                        std::span<const double> of_edge = {});

/// Springs across each edge between two triangles, from corner to corner, or across each vertex of a strand,
/// which resist bending as far as the body does not stretch; `stiffness` in N/m. Null where there is nothing
/// to bend.
std::unique_ptr<Potential> make_bending_springs(const TetMesh& rest, int first_vertex, double stiffness);

}  // namespace pliant
