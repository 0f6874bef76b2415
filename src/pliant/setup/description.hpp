#pragma once

#include <string>

#include "pliant/setup/plan.hpp"

namespace pliant {

/// All that a plan holds, in TOML: every number as it is, long lists and meshes by their checksums, shapes of
/// obstacles by their distances from a grid of points. Plans of the same text make the same models. It says
/// what a run was made of and is no scene: there is no way back from it.
std::string description_of(const ModelPlan& plan);

}  // namespace pliant
