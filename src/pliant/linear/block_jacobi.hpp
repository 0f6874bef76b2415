#pragma once

#include <span>
#include <vector>

#include "pliant/base/field.hpp"
#include "pliant/linear/operator.hpp"
#include "pliant/linear/preconditioner.hpp"
#include "pliant/linear/scalar_matrix.hpp"

namespace pliant {

/// The diagonal 3x3 blocks of a matrix, made definite, as a preconditioner B and as the norm that goes with
/// it: |p|_B for steps and |g|_B^-1 for gradients do not depend on units or on how fine the mesh is.
class BlockJacobi final : public Preconditioner {
 public:
  /// `floor` is a positive diagonal that indefinite blocks are lifted to (the inertia).
  void assign(const Operator& matrix, const Field& floor);
  /// A plain diagonal.
  void assign(const Field& diagonal);
  /// That of a matrix which is definite.
  void assign(const ScalarMatrix& matrix);

  /// z = B^-1 r; returns r . z.
  double solve(const Field& r, Field& z) const;
  Sizes precondition(const Field& r, Field& z) const override {
    const double squared = solve(r, z);
    return {squared, squared};
  }
  /// z = B p; returns p . z.
  double multiply(const Field& p, Field& z) const;
  /// The sum of its diagonal over the dofs where `fixed` is not set; all, if it is empty.
  double trace(Mask fixed) const;

 private:
  std::vector<double> blocks_;    ///< xx xy xz yy yz zz of each vertex
  std::vector<double> inverses_;  ///< likewise
};

}  // namespace pliant
