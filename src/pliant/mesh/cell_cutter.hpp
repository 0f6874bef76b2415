#pragma once

#include <array>
#include <vector>

#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

/// The tetrahedra that a cell falls into. Its corners are numbered by their offsets: bit 0 is x, bit 1 is y,
/// bit 2 is z.
using Cut = std::vector<std::array<int, 4>>;

/// One tetrahedron on alternate corners of the cell and one for each corner left over. All diagonals join
/// corners of even parity; in the mirrored cut those of odd parity. Cells with alternating cuts therefore
/// share their diagonals.
Cut five_tets(bool mirrored);

/// Kuhn's cut: one tetrahedron for each order of the axes, walking from corner 0 to corner 7 along them.
Cut six_tets();

/// Cuts cells into tetrahedra, so that neighbours share their diagonals.
class CellCutter {
 public:
  explicit CellCutter(int tets_per_cell)
      : cuts_{tets_per_cell == 5 ? five_tets(false) : six_tets(),
              tets_per_cell == 5 ? five_tets(true) : six_tets()} {}

  void add(const std::array<int, 8>& corners, int parity, TetMesh& mesh) const {
    for (const auto& tet : cuts_[parity & 1])
      mesh.tets.push_back({corners[tet[0]], corners[tet[1]], corners[tet[2]], corners[tet[3]]});
  }

 private:
  std::array<Cut, 2> cuts_;
};

}  // namespace pliant
