#pragma once

#include <span>
#include <vector>

#include "pliant/linear/block_matrix.hpp"
#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/potential/sub_model.hpp"

namespace pliant {

/// What a consistent mass matrix is besides the lumped masses: a matrix S, the same for x, y and z, by which
/// elements share the accelerations of their vertices. Its rows sum to zero: (S d)_a = sum_b m_ab (d_b -
/// d_a).
class ConsistentMass {
 public:
  /// Pairs may occur more than once.
  ConsistentMass(int vertex_count, std::span<const MassPair> pairs);

  bool empty() const { return other_.empty(); }
  /// result = S d.
  void multiply(const Vector& d, Vector& result) const;
  /// Of the pairs of a sub-model.
  ConsistentMass sub_model(const SubModel& sub_model) const;
  BlockMatrix matrix(const BlockPattern& pattern) const;

 private:
  std::vector<MassPair> pairs() const;

  std::vector<Index> start_;  ///< of each vertex in the others
  std::vector<int> other_;
  std::vector<double> mass_;
};

}  // namespace pliant
