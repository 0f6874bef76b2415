#pragma once

#include <memory>
#include <vector>

#include "pliant/integrate/drag.hpp"
#include "pliant/integrate/schemes.hpp"

namespace pliant {

/// How a model is stepped.
struct SteppingOptions {
  SchemeOptions scheme = {};
  SolverOptions solver = {};
  std::vector<Drag> drags = {};  ///< of each body; none where it is empty
  bool side_by_side = true;      ///< components step by themselves
};

/// The scheme of a model, with all that the model asks for: its components side by side, drags before the
/// step. Throws InputError where no scheme or solver has that name, or where it cannot do what the model asks
/// for.
std::unique_ptr<Scheme> make_scheme(const Model& model, const SteppingOptions& options);

}  // namespace pliant
