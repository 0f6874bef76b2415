#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pliant/linear/block_matrix.hpp"

namespace pliant {

/// Which nodes make the value of a finer vertex or node, and with what weights: a sparse matrix by rows.
struct Interpolation {
  std::vector<int> start{0};
  std::vector<int> node;
  std::vector<float> weight;

  Interpolation transposed(int nodes) const;
};

/// Nodes of a regular lattice, as many as are needed to interpolate to the vertices of a mesh, or to the
/// nodes of a finer lattice. Parts of the mesh that do not couple have lattices of their own.
struct Lattice {
  struct Node {
    int part;
    std::array<int, 3> place;
    std::uint64_t code = 0;  ///< of the place, along a curve
  };
  std::vector<Node> nodes;  ///< part by part, in each along a curve
  Interpolation weights;    ///< of what is finer: no more than four nodes each, the corners of a tetrahedron

  /// Where each part's nodes begin, and the end.
  std::vector<int> part_starts() const;
};

/// A lattice over the rest positions of a pattern, about three cells of the mesh wide. Parts so small that
/// simpler means suffice get no nodes; without rest positions none does.
Lattice lattice_over(const BlockPattern& pattern);

/// Every other node.
Lattice coarser_lattice(const Lattice& fine);

}  // namespace pliant
