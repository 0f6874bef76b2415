#pragma once

#include "pliant/linear/block_matrix.hpp"

namespace pliant {

/// A matrix with its extra blocks put into a pattern that has them, for factorisations. The pattern is kept
/// as long as it has all that is asked for, so that it is analysed again only when new pairs touch.
class MergedMatrix {
 public:
  /// Forgets what touched before: a pattern that still has room for it would be ordered otherwise.
  void forget() { built_for_ = 0; }

  /// A itself where it has no extra blocks.
  const BlockMatrix& of(const BlockMatrix& A);

 private:
  bool fits(const BlockMatrix& A) const;
  void build(const BlockMatrix& A);

  std::uint64_t built_for_ = 0;  ///< id of the pattern without extra blocks
  BlockPattern pattern_;
  BlockMatrix matrix_;
};

}  // namespace pliant
