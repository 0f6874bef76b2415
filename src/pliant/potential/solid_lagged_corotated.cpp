#include "pliant/material/corotated_kernel.hpp"
#include "pliant/potential/lagged_solid.hpp"
#include "pliant/potential/solid_kernel.hpp"

namespace pliant {

/// Corotated, with the second derivative that it has while the rotation stays: that of linear elasticity,
/// turned.
struct TurnedLinear : Corotated {
  template <class T>
  PLIANT_KERNEL static StretchHessian<T> hessian(const LameOf<T>& p, const Small3<T>&) {
    const T twice = T(2.0) * p.mu, sum = p.lambda + twice;
    StretchHessian<T> h;
    h.A = {sum, p.lambda, p.lambda, sum, p.lambda, sum};
    for (int k = 0; k < 3; ++k) {
      h.symmetric[k] = twice;
      h.antisymmetric[k] = T(0.0);
    }
    return h;
  }
};

std::shared_ptr<Potential> make_lagged_corotated(const TetMesh& rest, int first_vertex, const Lame& lame) {
  return make_solid_of<TurnedLinear>(rest, first_vertex, lame);
}

}  // namespace pliant
