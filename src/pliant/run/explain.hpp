#pragma once

#include <string>

#include "pliant/integrate/scheme.hpp"

namespace pliant {

/// Why a step did not converge, where the trouble sits and what to try, as sentences for the person who wrote
/// the scene. `solver` is its name in scene files.
std::string explain(const StepReport& report, double tolerance, const std::string& solver);

}  // namespace pliant
