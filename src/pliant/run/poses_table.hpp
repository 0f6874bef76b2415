#pragma once

#include <string>
#include <vector>

#include "pliant/run/simulation.hpp"

namespace pliant {

/// obstacles.csv: where every obstacle is in the frames 0 to `last`, a row each. As poses depend on time
/// alone, the table is written at the beginning, for all frames planned, and stays whole whenever a run ends.
/// Numbers keep all their digits; a turn is a unit quaternion.
std::string poses_text(const Simulation& simulation, int last);

/// The poses of each obstacle, in the order of `names`, frame by frame; without their speeds. Throws
/// InputError, with `file` as its place, for anything that `poses_text` has not written for these names.
std::vector<std::vector<Pose>> parse_poses(const std::string& text, const std::vector<std::string>& names,
                                           const std::string& file);

}  // namespace pliant
