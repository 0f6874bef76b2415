#pragma once

#include <map>
#include <string>

#include "pliant/base/types.hpp"

namespace pliant {

/// All that changes while time runs. Nothing else may cross the boundary of a step and change a bit, so that
/// saving a State and going on from it later gives the same frames.
struct State {
  double time = 0;
  Vector x;  ///< positions, 3n
  Vector v;  ///< velocities, 3n
  /// History of schemes and terms that need one, by name.
  std::map<std::string, Vector> arrays;
};

}  // namespace pliant
