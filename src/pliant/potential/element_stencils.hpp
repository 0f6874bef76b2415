#pragma once

#include "pliant/potential/element_functions.hpp"
#include "pliant/potential/stencils.hpp"

namespace pliant {

/// What `StencilKind::run_kernel` does for elements: the functions of their kernel, whose lanes are filled up
/// with the last record.
void run_element_stencils(const ElementFunctions& functions, const StencilBatch& batch);

}  // namespace pliant
