#pragma once

#include <span>

#include "pliant/linear/block_matrix.hpp"

namespace pliant {

/// Adds what elements of `corners` corners have written, a lane each, to the gradient or the matrix: lane by
/// lane, so that sums do not depend on the width of packs.

/// `dofs[a * stride + lane]` is where corner a of each is.
void scatter_gradient(int corners, const int* dofs, Index stride, const double* entries, int lanes,
                      Index used, double* gradient);

/// `slots` as in ElementPotential, from the first element on.
void scatter_blocks(int corners, const unsigned* slots, const double* entries, int lanes, Index used,
                    BlockMatrix& hessian);

}  // namespace pliant
