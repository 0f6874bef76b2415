#include "pliant/potential/fibres.hpp"

#include <Eigen/LU>

#include "pliant/base/error.hpp"
#include "pliant/potential/element_potential_kernel.hpp"
#include "pliant/potential/fibre_kernel.hpp"

namespace pliant {

std::unique_ptr<Potential> make_fibres(const TetMesh& rest, int first_vertex, const Vec3& direction,
                                       double stiffness) {
  using Fibres = ElementPotential<Fibre>;
  if (rest.tets.empty()) throw InputError("fibres run through tetrahedra, of which the body has none");
  if (!(direction.norm() > 0)) throw InputError("the direction of fibres must have a length");
  const Vec3 d = direction.normalized();
  std::vector<Fibres::Corners> corners;
  std::vector<Fibres::RestData> data;
  std::vector<Vec3> centers;
  for (const std::array<int, 4>& tet : rest.tets) {
    Mat3 edges;
    Vec3 center = rest.vertices[tet[0]] / 4;
    Fibres::Corners at{first_vertex + tet[0]};
    for (int a = 1; a < 4; ++a) {
      edges.col(a - 1) = rest.vertices[tet[a]] - rest.vertices[tet[0]];
      center += rest.vertices[tet[a]] / 4;
      at[a] = first_vertex + tet[a];
    }
    const Vec3 weights = edges.inverse() * d;
    corners.push_back(at);
    data.push_back({stiffness * edges.determinant() / 6, weights[0], weights[1], weights[2]});
    centers.push_back(center);
  }
  return std::make_unique<Fibres>(corners, data, order_of_elements(centers));
}

}  // namespace pliant
