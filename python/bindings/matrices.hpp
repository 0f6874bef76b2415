#pragma once

#include <nanobind/nanobind.h>

#include "pliant/linear/block_matrix.hpp"

namespace pliant::python {

/// The whole matrix, both triangles, as scipy.sparse.bsr_array of 3x3 blocks. Needs scipy.
nanobind::object to_scipy(const BlockMatrix& matrix);

}  // namespace pliant::python
