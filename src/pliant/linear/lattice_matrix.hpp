#pragma once

#include <vector>

#include "pliant/linear/block_matrix.hpp"

namespace pliant {

/// Three numbers a node in single precision, and a zero.
using NodeVector = std::vector<float>;

/// A symmetric matrix of 3x3 blocks in single precision that smooths: M = E + L, where L holds what lies
/// below the diagonal inside the fixed chunks of the pattern, and E is the diagonal, made definite, plus half
/// the norms of the blocks between chunks. M + M^T - A is then definite, whatever A is, and so is what a
/// cycle of steps by M, a coarser correction and steps by M^T makes of any residual.
class LatticeMatrix {
 public:
  /// The pattern must stay; its rows are in the order of nodes.
  explicit LatticeMatrix(const BlockPattern& pattern);

  const BlockPattern& pattern() const { return *pattern_; }
  /// Nine numbers a block, and one more; `prepare` makes changes count.
  std::vector<float>& values() { return values_; }
  const std::vector<float>& values() const { return values_; }
  void prepare();

  /// z = M^-1 r
  void smooth_forward(const NodeVector& r, NodeVector& z) const;
  /// q = r - A z
  void residual(const NodeVector& r, const NodeVector& z, NodeVector& q) const;
  /// z += M^-T q
  void smooth_backward(const NodeVector& q, NodeVector& z) const;
  /// z = E^-1 r for some nodes
  void divide(int first, int last, const NodeVector& r, NodeVector& z) const;

 private:
  template <class Add>
  void gather_halos(Add add) const;
  void multiply_chunk(int number, const float* z, float* own, float* halo) const;

  const BlockPattern* pattern_;
  std::vector<float> values_;
  std::vector<float> inverses_;      ///< of E: columns of four
  mutable std::vector<float> halo_;  ///< what chunks found for nodes of others, four a node
};

}  // namespace pliant
