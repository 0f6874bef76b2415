#pragma once

#include "pliant/linear/block_matrix.hpp"
#include "pliant/potential/element_functions.hpp"

namespace pliant {

// Adding what elements have written, a lane each, to the gradient or the matrix: lane by lane, so that sums
// do not depend on the width of packs. Found once for a kernel, since they are quicker where they know their
// numbers of corners and lanes.

/// `dofs[a * stride + lane]` is where corner a of each is; `used` lanes count.
using GradientScatter = void (*)(const int* dofs, Index stride, const double* entries, Index used,
                                 double* gradient);
GradientScatter gradient_scatter(int corners, int lanes);

/// `slots` as in ElementPotential, from the first element on.
using BlockScatter = void (*)(const unsigned* slots, const double* entries, Index used, BlockMatrix& hessian);
BlockScatter block_scatter(int corners, int lanes);

}  // namespace pliant
