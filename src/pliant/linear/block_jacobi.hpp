#pragma once

#include <span>
#include <vector>

#include "pliant/base/types.hpp"
#include "pliant/linear/block_matrix.hpp"
#include "pliant/linear/preconditioner.hpp"

namespace pliant {

/// The diagonal 3x3 blocks of a matrix, made definite, as a preconditioner B and as the norm that goes with
/// it: |p|_B for steps and |g|_B^-1 for gradients do not depend on units or on how fine the mesh is.
class BlockJacobi final : public Preconditioner {
 public:
  /// `floor` is a positive diagonal that indefinite blocks are lifted to (the inertia).
  void assign(const BlockMatrix& matrix, const Vector& floor);
  /// A plain diagonal.
  void assign(const Vector& diagonal);

  /// z = B^-1 r; returns r . z.
  double solve(const Vector& r, Vector& z) const;
  Sizes precondition(const Vector& r, Vector& z) const override {
    const double squared = solve(r, z);
    return {squared, squared};
  }
  /// z = B p; returns p . z.
  double multiply(const Vector& p, Vector& z) const;
  /// The sum of its diagonal over the dofs where `fixed` is not set; all, if it is empty.
  double trace(std::span<const char> fixed) const;

 private:
  std::vector<double> blocks_;    ///< xx xy xz yy yz zz of each vertex
  std::vector<double> inverses_;  ///< likewise
};

}  // namespace pliant
