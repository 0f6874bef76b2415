#include "pliant/potential/fibres.hpp"

#include <Eigen/LU>

#include "pliant/base/error.hpp"
#include "pliant/kernel/fibre.hpp"
#include "pliant/potential/element_potential.hpp"
#include "pliant/potential/packed_kernel.hpp"

namespace pliant {

std::unique_ptr<Potential> make_fibres(const TetMesh& rest, int first_vertex, const Vec3& direction,
                                       double stiffness) {
  if (rest.tets.empty()) throw InputError("fibres run through tetrahedra, of which the body has none");
  if (!(direction.norm() > 0)) throw InputError("the direction of fibres must have a length");
  const Vec3 d = direction.normalized();
  ElementList fibres;
  for (const std::array<int, 4>& tet : rest.tets) {
    Mat3 edges;
    Vec3 center = rest.vertices[tet[0]] / 4;
    std::array<int, 4> at{first_vertex + tet[0]};
    for (int a = 1; a < 4; ++a) {
      edges.col(a - 1) = rest.vertices[tet[a]] - rest.vertices[tet[0]];
      center += rest.vertices[tet[a]] / 4;
      at[a] = first_vertex + tet[a];
    }
    const Vec3 weights = edges.inverse() * d;
    fibres.add(at, std::array{stiffness * edges.determinant() / 6, weights[0], weights[1], weights[2]},
               center);
  }
  return std::make_unique<ElementPotential>(element_functions<Fibre>(), fibres);
}

}  // namespace pliant
