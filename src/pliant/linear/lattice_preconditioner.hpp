#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pliant/linear/block_jacobi.hpp"
#include "pliant/linear/dense_cholesky.hpp"
#include "pliant/linear/galerkin.hpp"
#include "pliant/linear/lattice.hpp"
#include "pliant/linear/lattice_matrix.hpp"
#include "pliant/linear/preconditioner.hpp"

namespace pliant {

/// z = D^-1 r + P V P^T r. D is block Jacobi, which serves what varies from vertex to vertex; P interpolates
/// from a lattice about three cells wide, whose nodes carry what varies slowly, and V is one cycle on
/// lattices of doubling width for the matrix P^T A P. Conjugate gradients then need about as many iterations
/// on fine meshes as on coarse ones. Definite for any symmetric A, indefinite ones included.
///
/// What depends on the pattern alone is found when a pattern is seen first. Not from two threads at once, as
/// they would share the vectors of the cycle.
class LatticePreconditioner final : public Preconditioner {
 public:
  /// `jacobi` is that of the matrix, and must stay. Dofs where `fixed` is set, unless it is empty, have rows
  /// and columns of the identity. Right-hand sides must have no part in directions that the matrix restricts.
  /// Blocks outside of the pattern are left out.
  void assign(const BlockMatrix& matrix, const BlockJacobi& jacobi, std::span<const char> fixed);

  /// Residuals are measured in the norm of D^-1.
  Sizes precondition(const Field& r, Field& z) const override;

  /// Nodes of the lattices, fine to coarse; none where the mesh is small or has no rest positions.
  std::vector<int> nodes() const;

 private:
  struct Level {
    Level(const BlockPattern& fine, Lattice from);
    int nodes() const { return static_cast<int>(lattice.nodes.size()); }

    Lattice lattice;
    Interpolation down;  ///< the transpose of the lattice's weights
    GalerkinProduct product;
    LatticeMatrix matrix;
    mutable NodeVector r, z, q;
  };

  /// A part of the coarsest lattice, solved directly unless its matrix is not definite.
  struct Root {
    Root(int first_node, int last_node)
        : first(first_node), last(last_node), factor(3 * (last - first)), b(3 * Index{last - first}) {}
    int first, last;
    DenseCholesky factor;
    bool definite = false;
    mutable std::vector<double> b;
  };

  void build(const BlockPattern& pattern);
  void factor_root(Root& root) const;
  void solve_root(const Root& root) const;
  void cycle(size_t number) const;
  void gather_residual(const Vector& r) const;
  void add_correction(Vector& z) const;
  double correction_product() const;

  std::uint64_t built_for_ = 0;  ///< id of the pattern
  std::vector<std::unique_ptr<Level>> levels_;
  std::vector<Root> roots_;
  const BlockJacobi* jacobi_ = nullptr;
  std::vector<Restriction> restrictions_;
  std::vector<char> fixed_;
  std::vector<char> simple_;  ///< of a vertex: no dof is fixed, and four numbers can be read at its place
};

}  // namespace pliant
