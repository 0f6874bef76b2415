#pragma once

#include <vector>

#include "pliant/base/field.hpp"

namespace pliant {

/// y_i = R_i^T x_i for each block.
void rotate_back(const std::vector<Mat3>& rotations, const Field& x, Field& y);
/// y_i = R_i y_i.
void rotate(const std::vector<Mat3>& rotations, Field& y);

}  // namespace pliant
