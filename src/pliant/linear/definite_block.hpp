#pragma once

namespace pliant {

/// A symmetric 3x3 block by its entries xx xy xz yy yz zz.
struct SymmetricBlock {
  double entries[6];
};

struct DefiniteBlock {
  SymmetricBlock block, inverse;
};

/// The block with negative eigenvalues turned around and small ones lifted to `least` > 0 and to what lets
/// the inverse be definite in spite of roundoff, plus `shift` >= 0 times the identity; and its inverse.
DefiniteBlock make_definite(const SymmetricBlock& block, double least, double shift = 0);

}  // namespace pliant
