#pragma once

#include <utility>
#include <vector>

#include "pliant/linear/block_matrix.hpp"
#include "pliant/linear/lattice.hpp"

namespace pliant {

/// C = P^T A P in single precision, for a symmetric matrix A of 3x3 blocks and an interpolation P whose
/// weights serve all three coordinates alike. Which blocks meet where is found once.
///
/// The rows of A are taken in fixed chunks. Each adds up its part of C, and every block of C is then gathered
/// from the chunks that have one, in their order: the same bits for any number of threads.
class GalerkinProduct {
 public:
  GalerkinProduct(const BlockPattern& fine, const Interpolation& weights, int nodes);

  /// Of C, its rows in the order of nodes.
  const BlockPattern& pattern() const { return pattern_; }

  /// `blocks` are those of A in the order of its pattern, followed by one more number. Dofs where `fixed` is
  /// set, if it is given, have rows and columns of the identity in A and of zeros in P.
  template <class Scalar>
  void compute(const BlockPattern& fine, const Interpolation& weights, const Scalar* blocks,
               const char* fixed, std::vector<float>& product);

 private:
  /// What the rows of a chunk do, in the order in which it is done. A row of the upper triangle times P comes
  /// first, a few blocks that lie in slots; each goes to as many blocks of C as the row has weights.
  struct Chunk {
    std::vector<int> slots;       ///< for each block of A and weight of its column
    std::vector<int> slot_count;  ///< for each row
    std::vector<int> places;      ///< for each row, weight and slot
    int blocks = 0;               ///< of C that the chunk adds to, both triangles apart
    struct Fold {
      int upper, lower;  ///< places of two that make one of the stored triangle, or -1
    };
    std::vector<Fold> folds;
    Index first = 0;  ///< where the folded ones lie among all chunks'
  };

  using Pair = std::pair<int, int>;
  static std::vector<Pair> build_chunk(const BlockPattern& fine, const Interpolation& weights, int first_row,
                                       Chunk& chunk);
  void build_gathers(const std::vector<std::vector<Pair>>& pairs);
  template <class Scalar>
  void compute_chunk(const BlockPattern& fine, const Interpolation& weights, const Scalar* blocks,
                     const char* fixed, int first_row);

  std::vector<Chunk> chunks_;
  BlockPattern pattern_;
  std::vector<int> gather_start_, gather_;  ///< for each block of C: places in partial_
  std::vector<float> partial_;              ///< nine numbers a block
};

}  // namespace pliant
